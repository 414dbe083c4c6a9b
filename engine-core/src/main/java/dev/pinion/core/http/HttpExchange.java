package dev.pinion.core.http;

import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.http.message.QueryParameters;
import dev.pinion.core.http.message.RequestJson;
import dev.pinion.core.http.message.Response;
import dev.pinion.core.model.DiskFullDetector;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer. Lives on the event loop of its connection; after the answer, or after
 * the client has gone, every further answer is dropped.
 */
public final class HttpExchange {
  private final HttpConnection httpConnection;
  private HttpRequest request;
  private final Router.@Nullable Match match;
  private final String mediaType;
  private ByteBuf body = Unpooled.EMPTY_BUFFER;
  private @Nullable Wait wait;
  private @Nullable Supplier<Problem> detached;
  private @Nullable Object subject;
  private @Nullable String caller;
  private @Nullable UUID id;
  private boolean open = true;
  private boolean responding;
  private boolean counted;
  private final List<Runnable> afterwards = new ArrayList<>(0);

  /** What an exchange waits for; at most one thing at a time. */
  public interface Wait {
    /** Ends the wait: the exchange has ended, or waits for something else. */
    void abandon();
  }

  /** A step of handling that may refuse the request. */
  @FunctionalInterface
  public interface ExchangeStep {
    void run() throws ProblemException;
  }

  /**
   * A new exchange.
   *
   * @param match its route, or null when it is refused
   * @param mediaType the type of a successful answer that the client prefers
   */
  HttpExchange(
      HttpConnection httpConnection,
      HttpRequest request,
      Router.@Nullable Match match,
      String mediaType) {
    this.httpConnection = httpConnection;
    this.request = request;
    this.match = match;
    this.mediaType = mediaType;
  }

  public Router.Match match() {
    if (match == null) {
      throw new IllegalStateException("expected a request with a route");
    }
    return match;
  }

  /** The value of the path's nth variable. */
  public String variable(int index) {
    return match().variables().get(index);
  }

  /** The type of a successful answer that the client prefers. */
  public String mediaType() {
    return mediaType;
  }

  public QueryParameters query() {
    return match().query();
  }

  public @Nullable String header(CharSequence name) {
    return request.headers().get(name);
  }

  public List<String> headers(CharSequence name) {
    return request.headers().contains(name) ? request.headers().getAll(name) : List.of();
  }

  public boolean isHead() {
    return request.method().name().equals("HEAD");
  }

  /** The request, without its body. */
  public HttpRequest request() {
    return request;
  }

  /** The body; valid only while the endpoint handles the request. */
  public ByteBuf body() {
    return body;
  }

  /** Replaces the request. */
  public void replace(HttpRequest other, ByteBuf otherBody) {
    request = other;
    body = otherBody;
  }

  /** Whether another replica sends it for one of its clients. */
  public boolean fromPeer() {
    return httpConnection.fromPeer();
  }

  /** Address of the client, without its port; empty when it is not known. */
  public String client() {
    return httpConnection.client();
  }

  /** Sets the object that the exchange is about, for the layer above. */
  public void setSubject(@Nullable Object about) {
    subject = about;
  }

  /** The object that the exchange is about, or null. */
  public @Nullable Object subject() {
    return subject;
  }

  /** Sets the sender, as its interception has determined it. */
  public void setCaller(String who) {
    caller = who;
  }

  /** The sender as determined by an interception, or null. */
  public @Nullable String caller() {
    return caller;
  }

  /** Identifies the request and its answer; made at the first call. */
  public UUID id() {
    UUID known = id;
    if (known == null) {
      known = UUID.randomUUID();
      id = known;
    }
    return known;
  }

  /** Whether its route is interceptable. */
  public boolean isInterceptable() {
    return match != null && match.route().interceptable();
  }

  /** Whether its answer is being intercepted. */
  public boolean isResponding() {
    return responding;
  }

  /** Whether an answer would still be sent. */
  public boolean isOpen() {
    return open;
  }

  /** Runs something when the exchange ends, for any reason. */
  public void onEnd(Runnable task) {
    afterwards.add(task);
  }

  /** Begins a wait, and abandons the previous one. */
  public void waitFor(Wait next) {
    abandonWait();
    wait = next;
    httpConnection.markDirty();
  }

  private void abandonWait() {
    Wait previous = wait;
    if (previous != null) {
      wait = null;
      previous.abandon();
    }
  }

  /**
   * Records that the exchange waits for something outside of this process or on another thread.
   *
   * @param atEnd the answer if the server ends before {@link #attach}
   */
  public void detach(Supplier<Problem> atEnd) {
    detached = atEnd;
    httpConnection.server().detached(this);
  }

  /** Records that what {@link #detach} began is over. */
  public void attach() {
    if (detached != null) {
      detached = null;
      httpConnection.server().attached(this);
    }
  }

  /** Answers a detached exchange: the server ends. */
  void endDetached() {
    Supplier<Problem> problem = detached;
    if (problem != null) {
      reject(problem.get());
    }
  }

  /** Counts it as a request being answered from now on. */
  void markCounted() {
    counted = true;
  }

  /**
   * Ends the exchange and its wait.
   *
   * @return whether it counted as a request being answered
   */
  boolean end() {
    open = false;
    body = Unpooled.EMPTY_BUFFER;
    abandonWait();
    attach();
    afterwards.forEach(Runnable::run);
    afterwards.clear();
    return counted;
  }

  /** Sends the answer, or what an interception makes of it. */
  public void respond(Response response) {
    if (!open) {
      return;
    }
    ExchangeInterception interception = httpConnection.server().interception();
    if (!responding && interception.interceptsResponse(this)) {
      responding = true;
      abandonWait(); // nothing else may answer from now on
      interception.interceptResponse(this, response);
    } else {
      httpConnection.respond(this, response);
    }
  }

  /** Answers with a problem. */
  public void reject(Problem problem) {
    if (open) {
      respond(httpConnection.server().answer(problem));
    }
  }

  /** An empty buffer for a body; valid until the next call. */
  public ByteBuf scratch() {
    return httpConnection.server().scratch();
  }

  /** Runs something on the event loop of this exchange if it is still open then. Any thread. */
  public void onLoop(ExchangeStep exchangeStep) {
    httpConnection.onLoop(() -> run(exchangeStep));
  }

  /** Runs something on the event loop of this exchange, whether the exchange is open or not. */
  public void onLoopAlways(Runnable task) {
    httpConnection.onLoop(task);
  }

  /** Takes the request to the route's endpoint, through its interception if it has one. */
  void handle(ByteBuf complete) {
    body = complete;
    run(this::dispatch);
  }

  private void dispatch() throws ProblemException {
    Route route = match().route();
    if (body.isReadable() && route.body().mediaTypes().isEmpty()) {
      throw new ProblemException(ProblemType.BAD_BODY, "expected no body, found one");
    }
    if (route.body().isNothing() && !RequestJson.isNothing(body)) {
      throw new ProblemException(
          ProblemType.BAD_BODY, "expected no body, or {}, found another one");
    }
    ExchangeInterception interception = httpConnection.server().interception();
    if (!route.interceptable() || interception.bypasses(this)) {
      route.endpoint().handle(this);
    } else {
      interception.interceptRequest(this, () -> route.endpoint().handle(this));
    }
  }

  /** Runs something now; a refusal or a failure is answered. */
  public void run(ExchangeStep exchangeStep) {
    if (!open) {
      return;
    }
    try {
      exchangeStep.run();
    } catch (ProblemException e) {
      reject(e.problem());
    } catch (RuntimeException e) {
      if (DiskFullDetector.isDiskFull(e)) {
        reject(Problem.diskFull());
        return;
      }
      httpConnection.server().failed(e);
      reject(Problem.of(ProblemType.INTERNAL, "the engine failed to answer this request"));
    } catch (OutOfMemoryError e) { // off-heap memory only: a lack of heap ends the replica
      httpConnection.server().failed(e);
      httpConnection.closeNow(); // there may be no room for an answer either
    }
  }
}
