package dev.pinion.core.http;

import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.http.message.QueryParameters;
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
  private final Connection connection;
  private HttpRequest request;
  private final @Nullable Route route;
  private final List<String> variables;
  private final QueryParameters query;
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

  /** The server of an exchange. Event loop only. */
  interface Server {
    /** Answers the exchange when the server ends, until {@link #attached}. */
    void detached(HttpExchange httpExchange);

    void attached(HttpExchange httpExchange);

    /** A problem as an answer. */
    Response answer(Problem problem);

    /** An empty buffer; its content is copied when an answer is sent. */
    ByteBuf scratch();

    /** Counts and reports a failure of the engine. */
    void failed(Throwable cause);
  }

  /** The connection of an exchange. Event loop only, unless stated otherwise. */
  interface Connection {
    /** Its server. */
    Server server();

    /** Whether another replica opened it. */
    boolean fromPeer();

    /** Address of the client, without its port; empty when it is not known. */
    String client();

    /** Requests that its waits begin at the end of this duty cycle. */
    void markDirty();

    /** Sends an answer, or what an interception makes of it. */
    void respond(HttpExchange httpExchange, Response response);

    /** Runs something on the event loop, at once when called by it. Any thread. */
    void onLoop(Runnable task);

    /** Closes without an answer. */
    void closeNow();
  }

  /** A step of handling that may refuse the request. */
  @FunctionalInterface
  public interface ExchangeStep {
    void run() throws ProblemException;
  }

  /**
   * A new exchange.
   *
   * @param route its route, or null when it is refused
   * @param variables values of the path's variables, decoded
   * @param mediaType the type of a successful answer that the client prefers
   */
  HttpExchange(
      Connection connection,
      HttpRequest request,
      @Nullable Route route,
      List<String> variables,
      QueryParameters query,
      String mediaType) {
    this.connection = connection;
    this.request = request;
    this.route = route;
    this.variables = variables;
    this.query = query;
    this.mediaType = mediaType;
  }

  /** The route of the request. */
  public Route route() {
    if (route == null) {
      throw new IllegalStateException("expected a request with a route");
    }
    return route;
  }

  /** The values of the path's variables. */
  public List<String> variables() {
    return variables;
  }

  /** The value of the path's nth variable. */
  public String variable(int index) {
    return variables.get(index);
  }

  /** The type of a successful answer that the client prefers. */
  public String mediaType() {
    return mediaType;
  }

  public QueryParameters query() {
    return query;
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
    return connection.fromPeer();
  }

  /** Address of the client, without its port; empty when it is not known. */
  public String client() {
    return connection.client();
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
    return route != null && route.interceptable();
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
    connection.markDirty();
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
    connection.server().detached(this);
  }

  /** Records that what {@link #detach} began is over. */
  public void attach() {
    if (detached != null) {
      detached = null;
      connection.server().attached(this);
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
    if (open) {
      connection.respond(this, response);
    }
  }

  /** Records that its answer is being intercepted: nothing else may answer from now on. */
  void beginResponse() {
    responding = true;
    abandonWait();
  }

  /** Answers with a problem. */
  public void reject(Problem problem) {
    if (open) {
      respond(connection.server().answer(problem));
    }
  }

  /** An empty buffer for a body; valid until the next call. */
  public ByteBuf scratch() {
    return connection.server().scratch();
  }

  /** Runs something on the event loop of this exchange if it is still open then. Any thread. */
  public void onLoop(ExchangeStep exchangeStep) {
    connection.onLoop(() -> run(exchangeStep));
  }

  /** Runs something on the event loop of this exchange, whether the exchange is open or not. */
  public void onLoopAlways(Runnable task) {
    connection.onLoop(task);
  }

  /** Handles the complete request by a step, during which the body is valid. */
  void handle(ByteBuf complete, ExchangeStep exchangeStep) {
    body = complete;
    run(exchangeStep);
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
      connection.server().failed(e);
      reject(Problem.of(ProblemType.INTERNAL, "the engine failed to answer this request"));
    } catch (OutOfMemoryError e) { // off-heap memory only: a lack of heap ends the replica
      connection.server().failed(e);
      connection.closeNow(); // there may be no room for an answer either
    }
  }
}
