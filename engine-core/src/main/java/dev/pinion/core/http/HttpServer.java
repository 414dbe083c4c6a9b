package dev.pinion.core.http;

import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.RequestJson;
import dev.pinion.core.http.message.Response;
import dev.pinion.core.limits.RequestLimits;
import dev.pinion.core.stage.Stage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP server of one event loop: its connections, their turns, their time-outs and their
 * bounds.
 *
 * <p>Netty calls the connections when bytes arrive, and the stage that owns the server calls {@link
 * #beginTurn}, {@link #resume} and {@link #endTurn} after that; answers in between are flushed by
 * the last, once for each connection. Connections have no clock: a phase that begins between two
 * turns begins with the second. Event loop only, except for counters and {@link #drain}.
 */
public final class HttpServer implements HttpExchange.Server {
  /** Longest interval between checks of connections for time-outs. */
  private static final int MAX_SWEEP_MILLIS = 250;

  /** Connections resumed with pipelined requests in one turn, besides those that received bytes. */
  private static final int RESUMED_PER_TURN = 64;

  private static final int MAX_KEPT_SCRATCH = 256 << 10;
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);

  private final String name;
  private final RequestLimits limits;
  private final HeadAdmission headAdmission;
  private final ExchangeDispatcher exchangeDispatcher;
  private final ConnectionReturn connectionReturn;
  private final RequestJson json;
  private final BufferBudget budget;
  private final ResponseWriter writer = new ResponseWriter();
  private final ConnectionSet<ServedConnection> connectionSet = new ConnectionSet<>();
  private final IdleClientConnections idleClientConnections;
  private final UnsentBytes unsent;
  private final long sweepNanos;

  /** Connections whose next request has arrived and waits for a turn. */
  private final Deque<ServedConnection> resuming = new ArrayDeque<>();

  /** Exchanges that wait for something outside of this replica's kernels. */
  private final Set<HttpExchange> detached = new LinkedHashSet<>();

  private List<ServedConnection> touched = new ArrayList<>();
  private List<ServedConnection> beingEnded = new ArrayList<>();
  private ByteBuf scratch = Unpooled.buffer(4 << 10);
  private long nextSweepNanos = Stage.NO_DEADLINE;
  private volatile int requests; // written by the event loop only
  private volatile int clients; // likewise
  private volatile boolean draining;
  private final LongAdder failures = new LongAdder();
  private final LongAdder lostTasks = new LongAdder();
  private final Rejections rejections = new Rejections();

  /** A connection of a server. */
  interface ServedConnection extends ConnectionSet.Member {
    /** Whether another replica opened it. */
    boolean fromPeer();

    /** Continues with the next request, in a separate turn. */
    void resume();

    /** Starts the timers of the events of this duty cycle and flushes its writes at once. */
    void flushCycle(long nowNanos);

    /** Ends phases that have taken too long. Called every few hundred milliseconds. */
    void expire(long nowNanos);

    /** Closes without an answer. */
    void closeNow();
  }

  /**
   * A server without connections.
   *
   * @param name its name in the log
   * @param router its operations
   * @param clientAccess how clients reach it, and leave it while it drains
   * @param exchangeInterception the point in front of its interceptable operations
   * @param json writes problems
   */
  public HttpServer(
      String name,
      RequestLimits limits,
      Router router,
      ClientAccess clientAccess,
      ExchangeInterception exchangeInterception,
      RequestJson json) {
    this.name = name;
    this.limits = limits;
    this.exchangeDispatcher = new ExchangeDispatcher(exchangeInterception);
    this.headAdmission =
        new HeadAdmission(
            router, limits, exchangeInterception, new CrossSiteCheck(clientAccess.hosts()));
    this.connectionReturn = clientAccess.connectionReturn();
    this.json = json;
    this.budget = new BufferBudget(limits.maxBufferedBytes());
    this.unsent = new UnsentBytes(limits.maxUnsentBytes(), clientAccess.connections());
    this.idleClientConnections = new IdleClientConnections(clientAccess.connections());
    int shortest = Math.min(limits.headTimeoutMillis(), limits.idleTimeoutMillis());
    this.sweepNanos = Math.clamp(shortest / 4, 1, MAX_SWEEP_MILLIS) * NANOS_PER_MILLI;
  }

  /** Begins a turn: answers carry its time. */
  public void beginTurn(long epochMillis) {
    writer.at(epochMillis);
  }

  /** Resumes connections with requests that their clients have sent ahead; returns how many. */
  public int resume() {
    int turns = Math.min(resuming.size(), RESUMED_PER_TURN);
    for (int i = 0; i < turns; i++) {
      resuming.removeFirst().resume();
    }
    return turns;
  }

  /** Ends a turn: sends its answers, ends phases that took too long, and keeps the bounds. */
  public int endTurn(long nowNanos) {
    sweep(nowNanos);
    int work = flush(nowNanos);
    unsent.keepBound();
    return work + idleClientConnections.makeRoom(nowNanos);
  }

  /** Whether a turn would find something to do. */
  public boolean hasWork() {
    return !touched.isEmpty() || !resuming.isEmpty();
  }

  /** Time of the next turn that has something to do; {@link Stage#NO_DEADLINE} when unknown. */
  public long nextDeadlineNanos() {
    return Math.min(nextSweepNanos, idleClientConnections.nextNanos());
  }

  /** Closes every connection. */
  public void close() {
    connectionSet.forEach(ServedConnection::closeNow);
    scratch.release();
  }

  /** Checks connections for time-outs; touches those with one, and the check is no work. */
  private void sweep(long nowNanos) {
    if (nowNanos >= nextSweepNanos) {
      nextSweepNanos = connectionSet.size() == 0 ? Stage.NO_DEADLINE : nowNanos + sweepNanos;
      connectionSet.forEach(connection -> connection.expire(nowNanos));
    }
  }

  /** Flushes touched connections; those touched meanwhile wait for the next turn. */
  private int flush(long nowNanos) {
    List<ServedConnection> now = touched;
    touched = beingEnded;
    beingEnded = now;
    for (ServedConnection connection : now) {
      connection.flushCycle(nowNanos);
    }
    int work = now.size();
    now.clear();
    if (connectionSet.size() > 0 && nextSweepNanos == Stage.NO_DEADLINE) {
      nextSweepNanos = nowNanos + sweepNanos;
    }
    return work;
  }

  /**
   * From now on closes each connection after its next answer, or gives it to another replica. Any
   * thread.
   */
  public void drain() {
    draining = true;
  }

  /** Whether {@link #drain} was called. Any thread. */
  public boolean isDraining() {
    return draining;
  }

  /** Answers every detached exchange with the problem of its end; returns how many. */
  public int endDetached() {
    List<HttpExchange> all = List.copyOf(detached);
    all.forEach(HttpExchange::endDetached);
    return all.size();
  }

  @Override
  public void detached(HttpExchange httpExchange) {
    detached.add(httpExchange);
  }

  @Override
  public void attached(HttpExchange httpExchange) {
    detached.remove(httpExchange);
  }

  @Override
  public ByteBuf scratch() {
    if (scratch.capacity() > MAX_KEPT_SCRATCH) {
      scratch.release();
      scratch = Unpooled.buffer(4 << 10);
    }
    return scratch.clear();
  }

  @Override
  public Response answer(Problem problem) {
    rejections.onProblem(problem.type());
    return Response.problem(problem, json);
  }

  /** Counts one more request; returns false when there are too many. */
  boolean begin() {
    int before = requests;
    if (before >= limits.maxRequests()) {
      return false;
    }
    requests = before + 1;
    return true;
  }

  void ended() {
    int before = requests;
    requests = before - 1;
  }

  void opened(ServedConnection connection) {
    connectionSet.add(connection);
    countClients(connection, 1);
  }

  void closed(ServedConnection connection) {
    connectionSet.remove(connection);
    countClients(connection, -1);
  }

  private void countClients(ServedConnection connection, int change) {
    int before = clients;
    clients = connection.fromPeer() ? before : before + change;
  }

  /** Queues a connection whose next request has its turn in another cycle. */
  void resumeLater(ServedConnection connection) {
    resuming.addLast(connection);
  }

  void markDirty(ServedConnection connection) {
    touched.add(connection);
  }

  /** Counts a task for a connection whose event loop has ended. Any thread. */
  void taskLost() {
    lostTasks.increment();
  }

  /** Counts and reports a failure of the engine. Any thread. */
  @Override
  public void failed(Throwable cause) {
    failures.increment();
    LOG.error("{} failed to handle a request or a connection", name, cause);
  }

  RequestLimits limits() {
    return limits;
  }

  HeadAdmission admission() {
    return headAdmission;
  }

  ExchangeDispatcher dispatcher() {
    return exchangeDispatcher;
  }

  ConnectionReturn connectionReturn() {
    return connectionReturn;
  }

  BufferBudget budget() {
    return budget;
  }

  ResponseWriter writer() {
    return writer;
  }

  /** Connections with nothing under way. */
  IdleClientConnections idleConnections() {
    return idleClientConnections;
  }

  /** The bytes that wait for clients that read slowly. */
  UnsentBytes unsent() {
    return unsent;
  }

  /** The operations that it serves. */
  public List<Route> routes() {
    return headAdmission.routes();
  }

  /** Bytes of bodies that have not arrived whole. */
  public long bufferedBytes() {
    return budget.held();
  }

  /** Bytes that wait for clients to read them. */
  public long unsentBytes() {
    return unsent.held();
  }

  /** Requests being answered now. Any thread. */
  public int requests() {
    return requests;
  }

  /** Open connections of clients. Any thread. */
  public int connections() {
    return clients;
  }

  /** Refused requests. */
  public Rejections rejections() {
    return rejections;
  }

  /** Requests and connections that ended by a failure of the engine. Any thread. */
  public long failures() {
    return failures.sum();
  }

  /** Tasks for connections whose event loop has ended. Any thread. */
  public long lostTasks() {
    return lostTasks.sum();
  }

  /** Idle connections closed to make room for new clients. Any thread. */
  public long evictedConnections() {
    return idleClientConnections.closed();
  }

  /** Connections closed because their clients read too slowly. Any thread. */
  public long slowConnections() {
    return unsent.closed();
  }
}
