package dev.pinion.core.http;

import dev.pinion.core.api.PendingRequest;
import dev.pinion.core.api.RequestInterception;
import dev.pinion.core.peer.PeerCallerHeader;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.DiskFullDetector;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer. Lives on the event loop of its connection; after the answer, or after
 * the client has gone, every further answer is dropped.
 */
public final class HttpExchange {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final HttpConnection httpConnection;
  private HttpRequest request;
  private final Router.@Nullable Match match;
  private final String mediaType;
  private ByteBuf body = Unpooled.EMPTY_BUFFER;
  private @Nullable PendingRequest pendingRequest;
  private @Nullable DefinitionKey definition;
  private @Nullable String caller;
  private @Nullable UUID id;
  private boolean open = true;
  private boolean leaving;
  private boolean begun;
  private final List<Runnable> afterwards = new ArrayList<>(0);

  /**
   * A new exchange.
   *
   * @param match its route, or null when it is refused
   * @param mediaType the type of a successful answer that the client prefers
   */
  public HttpExchange(
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

  @Nullable public String header(CharSequence name) {
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

  /** Whether another replica sends it for one of its clients. */
  public boolean fromPeer() {
    return httpConnection.fromPeer();
  }

  /** Address of the client, without its port; empty when it is not known. */
  public String client() {
    return httpConnection.client();
  }

  /** Sets the definition of the exchange; null when unknown. */
  public void setDefinition(@Nullable DefinitionKey key) {
    definition = key;
  }

  /** Sets the sender that handlers have determined. */
  public void setCaller(String who) {
    caller = who;
  }

  /** The sender, as determined by handlers or by the client's replica; or null. */
  @Nullable public String caller() {
    return caller != null || !fromPeer() ? caller : PeerCallerHeader.read(request.headers());
  }

  /** The definition of the exchange, or null. */
  @Nullable public DefinitionKey definition() {
    return definition;
  }

  /** Identifies the request and its answer for handlers; made at the first call. */
  public UUID id() {
    UUID known = id;
    if (known == null) {
      known = UUID.randomUUID();
      id = known;
    }
    return known;
  }

  /** Whether handlers may process it. */
  public boolean isInterceptable() {
    return match != null && match.route().interceptable();
  }

  /** Whether handlers have its answer. */
  public boolean isResponding() {
    return leaving;
  }

  /** Replaces the request. */
  public void replace(HttpRequest other, ByteBuf otherBody) {
    request = other;
    body = otherBody;
  }

  /** The body; valid only while the endpoint handles the request. */
  public ByteBuf body() {
    return body;
  }

  /** Whether an answer would still be sent. */
  public boolean isOpen() {
    return open;
  }

  /** Runs something when the exchange ends, for any reason. */
  public void onEnd(Runnable task) {
    afterwards.add(task);
  }

  /** Records that it waits for another replica. */
  public void markRelayed() {
    httpConnection.handler().relayed(this);
  }

  /** Runs something on the event loop of this exchange, whether the exchange is open or not. */
  public void onLoopAlways(Runnable task) {
    httpConnection.onLoop(task);
  }

  /** Counts it as a request being answered from now on. */
  void markCounted() {
    begun = true;
  }

  /**
   * Ends the exchange and drops its inquiry of kernels.
   *
   * @return whether it counted as a request being answered
   */
  public boolean end() {
    open = false;
    body = Unpooled.EMPTY_BUFFER;
    forgetInquiry();
    afterwards.forEach(Runnable::run);
    afterwards.clear();
    return begun;
  }

  /** Computes the deadline of a wait that began in this duty cycle. */
  void startWait(long nowNanos) {
    PendingRequest waiting = pendingRequest;
    if (waiting != null && waiting.waitMillis > 0) {
      httpConnection
          .handler()
          .pending()
          .deadline(waiting, nowNanos + waiting.waitMillis * NANOS_PER_MILLI);
      waiting.waitMillis = 0;
    }
  }

  /**
   * Gives an inquiry its number, and drops the previous one; replies arrive until the exchange is
   * closed.
   */
  public long await(PendingRequest waiting, long waitMillis) {
    forgetInquiry();
    pendingRequest = waiting;
    waiting.waitMillis = waitMillis;
    httpConnection.markDirty();
    return httpConnection.handler().pending().add(waiting);
  }

  private void forgetInquiry() {
    if (pendingRequest != null) {
      httpConnection.handler().pending().remove(pendingRequest);
      pendingRequest = null;
    }
  }

  /** Sends the answer; with handlers, their result for it. */
  public void respond(Response response) {
    if (!open) {
      return;
    }
    RequestInterception requestInterception = httpConnection.handler().interception();
    if (!leaving && requestInterception.interceptsResponse(this)) {
      leaving = true;
      forgetInquiry(); // nothing else may answer from now on
      requestInterception.interceptResponse(this, response);
    } else {
      httpConnection.respond(this, response);
    }
  }

  /** Answers with a problem. */
  public void reject(Problem problem) {
    if (open) {
      respond(httpConnection.handler().answer(problem));
    }
  }

  /** An empty buffer for a body; valid until the next call. */
  public ByteBuf scratch() {
    return httpConnection.handler().scratch();
  }

  /** Runs something on the event loop of this exchange if it is still open then. Any thread. */
  public void onLoop(ExchangeStep exchangeStep) {
    httpConnection.onLoop(() -> run(exchangeStep));
  }

  /** Calls the route's endpoint. */
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
    route.endpoint().handle(this);
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
      httpConnection.handler().failed(e);
      reject(Problem.of(ProblemType.INTERNAL, "the engine failed to answer this request"));
    } catch (OutOfMemoryError e) { // off-heap memory only: a lack of heap ends the replica
      httpConnection.handler().failed(e);
      httpConnection.closeNow(); // there may be no room for an answer either
    }
  }

  /** A step of handling that may refuse the request. */
  @FunctionalInterface
  public interface ExchangeStep {
    void run() throws ProblemException;
  }
}
