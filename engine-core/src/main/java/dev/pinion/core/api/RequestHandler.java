package dev.pinion.core.api;

import dev.pinion.core.http.BufferBudget;
import dev.pinion.core.http.ConnectionSet;
import dev.pinion.core.http.CrossSiteCheck;
import dev.pinion.core.http.HeadAdmission;
import dev.pinion.core.http.HttpConnection;
import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.IdleClientConnections;
import dev.pinion.core.http.MediaTypes;
import dev.pinion.core.http.Problem;
import dev.pinion.core.http.ProblemException;
import dev.pinion.core.http.RequestJson;
import dev.pinion.core.http.Response;
import dev.pinion.core.http.ResponseWriter;
import dev.pinion.core.http.Router;
import dev.pinion.core.http.UnsentBytes;
import dev.pinion.core.peer.StartOffload;
import dev.pinion.core.peer.StartQueue;
import dev.pinion.core.message.AddressedReply;
import dev.pinion.core.message.KernelEvent;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.stage.Lane;
import dev.pinion.core.stage.Stage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stage that turns HTTP requests into messages for the kernels and their replies into answers.
 *
 * <p>One per event loop; its connections are registered there, so all of its state has one owner.
 * Netty calls the connections when bytes arrive, and the loop calls {@link #doWork} after that; the
 * writes in between are flushed at its end, once for each connection. Channel handlers have no
 * clock: a phase that begins between two duty cycles begins with the second.
 */
public final class RequestHandler implements Stage {
  /** Longest interval between checks of connections for time-outs. */
  private static final int MAX_SWEEP_MILLIS = 250;

  private static final int REPLIES_PER_CYCLE = 4_096;

  /** Connections resumed with pipelined requests in one turn, besides those that received bytes. */
  private static final int RESUMED_PER_CYCLE = 64;

  private static final int MAX_KEPT_SCRATCH = 256 << 10;

  /** Size from which room for a body is checked here; smaller ones are left to the kernels. */
  private static final int LARGE_BODY_BYTES = 512;

  /** Usual heap bytes of a value for each byte of its body. */
  private static final int HEAP_FOR_A_BYTE = 4;

  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final Logger LOG = LoggerFactory.getLogger(RequestHandler.class);

  private final int index;
  private final EngineLimits.RequestLimits limits;
  private long nowEpochMillis;
  private final RequestPorts ports;
  private final Lane<AddressedReply> replies;
  private final Consumer<AddressedReply> onReply = this::onReply;
  private final RequestJson json;
  private final RequestInterception requestInterception;
  private final HeadAdmission headAdmission;
  private final StartQueue starts;
  private final BufferBudget budget;
  private final ResponseWriter writer = new ResponseWriter();
  private final PendingRequests pending = new PendingRequests();
  private final ListConcurrencyLimit lists = new ListConcurrencyLimit();
  private final ConnectionSet connectionSet = new ConnectionSet();
  private final IdleClientConnections idleClientConnections;
  private final UnsentBytes unsent;

  /** Connections whose next request has arrived and waits for a turn. */
  private final Deque<HttpConnection> resuming = new ArrayDeque<>();

  private final long sweepNanos;

  private @Nullable StartOffload startOffload;

  /** Exchanges whose request or answer is with handlers. */
  private final Set<HttpExchange> handled = new HashSet<>();

  /** Exchanges that wait for other replicas. */
  private final Set<HttpExchange> relayed = new HashSet<>();

  private List<HttpConnection> touched = new ArrayList<>();
  private List<HttpConnection> beingEnded = new ArrayList<>();
  private ByteBuf scratch = Unpooled.buffer(4 << 10);
  private volatile int requests; // written by the event loop only
  private volatile int clients; // likewise
  private long nextSweepNanos = NO_DEADLINE;

  private final LongAccumulator longestWaitNanos = new LongAccumulator(Long::max, 0);
  private final LongAdder lateReplies = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private volatile boolean draining;
  private volatile boolean outOfTime;

  /**
   * A handler without connections.
   *
   * @param index its number among the handlers of the replica: the {@code handler} of its {@link
   *     ReplyAddress}
   * @param limits the limits in force
   * @param codec reads inputs and writes outputs
   * @param ports its interfaces to other parts
   * @param replies the lane through which kernels answer, of at least {@link #replyCapacity}
   */
  public RequestHandler(
      int index,
      EngineLimits limits,
      PayloadCodec codec,
      RequestPorts ports,
      Lane<AddressedReply> replies) {
    int least = replyCapacity(limits.request(), ports.kernels().kernels());
    if (replies.capacity() < least) {
      throw new IllegalArgumentException(
          "expected a reply lane of at least " + least + " messages, found " + replies.capacity());
    }
    this.index = index;
    this.limits = limits.request();
    this.ports = ports;
    this.replies = replies;
    this.json = new RequestJson(codec);
    this.budget = new BufferBudget(this.limits.maxBufferedBytes());
    this.unsent = new UnsentBytes(this.limits.maxUnsentBytes(), ports.clients());
    this.idleClientConnections = new IdleClientConnections(ports.clients());
    this.starts = new StartQueue(this.limits.startsAhead(), ports.replicaGroup().shared());
    this.requestInterception = new RequestInterception(this, ports.interceptor());
    Router router = RouteTable.create(this, limits);
    this.headAdmission =
        new HeadAdmission(
            router, this.limits, requestInterception, new CrossSiteCheck(ports.hosts()));
    int shortest = Math.min(this.limits.headTimeoutMillis(), this.limits.idleTimeoutMillis());
    this.sweepNanos = Math.clamp(shortest / 4, 1, MAX_SWEEP_MILLIS) * NANOS_PER_MILLI;
  }

  /**
   * The least capacity of a handler's reply lane: two replies to each request under way (accepted
   * and ended), each kernel's part of each list under way, and the same again for replies that
   * arrive after their request was dropped.
   */
  public static int replyCapacity(EngineLimits.RequestLimits limits, int kernels) {
    return 2 * (2 * limits.maxRequests() + ListConcurrencyLimit.MAX * kernels);
  }

  /** Offers an event to a kernel, and counts its value until the kernel has it. */
  boolean offer(KernelEvent event) {
    long counted = ports.heap().beginTransfer(valueBytes(event));
    boolean taken = ports.kernels().offer(event);
    if (!taken) {
      ports.heap().endTransfer(counted);
    }
    return taken;
  }

  private static long valueBytes(KernelEvent event) {
    return switch (event) {
      case KernelEvent.Start start -> start.input().heapBytes();
      case KernelEvent.CallbackReceived late -> late.answer().bytes().length;
      default -> 0;
    };
  }

  /**
   * Checks, before a body becomes a value, that there is room for the value.
   *
   * @throws ProblemException when the heap is too full for anything new
   */
  void requireHeap(ByteBuf body) throws ProblemException {
    int bytes = body.readableBytes();
    if (bytes >= LARGE_BODY_BYTES && ports.heap().refuses((long) HEAP_FOR_A_BYTE * bytes)) {
      throw new ProblemException(Problem.overload("kernel.maxHeldBytes"));
    }
  }

  /** The counter of its lists. */
  ListConcurrencyLimit lists() {
    return lists;
  }

  /** The lane through which kernels answer. */
  public Lane<AddressedReply> replies() {
    return replies;
  }

  @Override
  public String role() {
    return "request-" + index;
  }

  @Override
  public int doWork(long nowNanos, long epochMillis) {
    writer.at(epochMillis);
    nowEpochMillis = epochMillis;
    int work = replies.drain(onReply, REPLIES_PER_CYCLE);
    work += outOfTime ? refuseWaiting() : endWaits(nowNanos);
    work += lend(nowNanos);
    work += resume();
    sweep(nowNanos);
    work += endCycles(nowNanos);
    unsent.keepBound();
    work += idleClientConnections.makeRoom(nowNanos);
    return work;
  }

  @Override
  public boolean hasWork() {
    return !touched.isEmpty() || !resuming.isEmpty() || !replies.isEmpty() || starts.canRelease();
  }

  @Override
  public long nextDeadlineNanos() {
    long lend = startOffload == null ? NO_DEADLINE : startOffload.nextNanos();
    long own = Math.min(nextSweepNanos, idleClientConnections.nextNanos());
    return Math.min(lend, Math.min(pending.earliestNanos(), own));
  }

  @Override
  public void onClose() {
    connectionSet.forEach(HttpConnection::closeNow);
    scratch.release();
  }

  private void onReply(AddressedReply addressed) {
    pass(addressed);
    ports.heap().endTransfer(addressed.reply().carried());
  }

  private void pass(AddressedReply addressed) {
    starts.taken(addressed.request());
    PendingRequest pendingRequest = pending.get(addressed.request());
    if (pendingRequest == null) {
      lateReplies.increment();
      return;
    }
    pendingRequest.exchange().run(() -> pendingRequest.onReply(addressed.reply()));
  }

  /** Begins waiting starts, and lets idle replicas take others. */
  private int lend(long nowNanos) {
    longestWaitNanos.accumulate(starts.oldestWaitNanos(nowNanos));
    int released = starts.release();
    if (startOffload != null) {
      startOffload.offer(nowNanos);
    }
    return released;
  }

  /** Resumes connections with requests that their clients have sent ahead. */
  private int resume() {
    int turns = Math.min(resuming.size(), RESUMED_PER_CYCLE);
    for (int i = 0; i < turns; i++) {
      resuming.removeFirst().resume();
    }
    return turns;
  }

  private int endWaits(long nowNanos) {
    List<PendingRequest> due = pending.takeDue(nowNanos);
    for (PendingRequest pendingRequest : due) {
      pendingRequest.exchange().run(pendingRequest::onDeadline);
    }
    return due.size();
  }

  /** Answers every request that waits for an instance: the replica ends before the instance. */
  private int refuseWaiting() {
    List<PendingRequest> waiting = pending.takeAll();
    for (PendingRequest pendingRequest : waiting) {
      pendingRequest.exchange().run(pendingRequest::onShutdown);
    }
    List<StartQueue.QueuedStart> unbegun = starts.takeAll();
    for (StartQueue.QueuedStart start : unbegun) {
      start.exchange().reject(InstanceEndpoints.shuttingDown());
    }
    List<HttpExchange> withHandlers = List.copyOf(handled);
    for (HttpExchange httpExchange : withHandlers) {
      httpExchange.reject(
          httpExchange.isResponding()
              ? PendingRequest.shutdownProblem()
              : InstanceEndpoints.shuttingDown());
    }
    List<HttpExchange> elsewhere = List.copyOf(relayed);
    for (HttpExchange httpExchange : elsewhere) {
      httpExchange.reject(PendingRequest.shutdownProblem());
    }
    return waiting.size() + unbegun.size() + withHandlers.size() + elsewhere.size();
  }

  /** Checks connections for time-outs; touches those with one, and the check is no work. */
  private void sweep(long nowNanos) {
    if (nowNanos >= nextSweepNanos) {
      nextSweepNanos = connectionSet.size() == 0 ? NO_DEADLINE : nowNanos + sweepNanos;
      connectionSet.forEach(httpConnection -> httpConnection.expire(nowNanos));
    }
  }

  /** Ends the cycles of touched connections; those touched meanwhile wait for the next one. */
  private int endCycles(long nowNanos) {
    List<HttpConnection> now = touched;
    touched = beingEnded;
    beingEnded = now;
    for (HttpConnection httpConnection : now) {
      httpConnection.flushCycle(nowNanos);
    }
    int work = now.size();
    now.clear();
    if (connectionSet.size() > 0 && nextSweepNanos == NO_DEADLINE) {
      nextSweepNanos = nowNanos + sweepNanos;
    }
    return work;
  }

  /**
   * Refuses starts and closes each connection after its next answer; requests under way are
   * answered. Any thread.
   */
  public void drain() {
    draining = true;
  }

  /**
   * From now on answers 503 to requests that wait for instances, because the replica ends. Any
   * thread; takes effect with the next duty cycle.
   */
  public void endWaits() {
    outOfTime = true;
  }

  /** Whether {@link #endWaits} was called. Any thread. */
  boolean haveWaitsEnded() {
    return outOfTime;
  }

  /** Whether {@link #drain} was called. Any thread. */
  public boolean isDraining() {
    return draining;
  }

  /** Replies that arrived after their request was answered or its client had gone. Any thread. */
  public long lateReplies() {
    return lateReplies.sum();
  }

  /** Requests and connections that ended by a failure of the engine. Any thread. */
  public long failures() {
    return failures.sum();
  }

  /** Idle connections closed to make room for new clients. Any thread. */
  public long evictedConnections() {
    return idleClientConnections.closed();
  }

  /** Connections closed because their clients read too slowly. Any thread. */
  public long slowConnections() {
    return unsent.closed();
  }

  /** Requests being answered now. Any thread. */
  public int requests() {
    return requests;
  }

  /**
   * The longest time that a start has waited for a kernel since the last call, in nanoseconds.
   * Starts wait for kernels only where there can be other replicas. Any thread.
   */
  public long drainLongestWaitNanos() {
    return longestWaitNanos.getThenReset();
  }

  /** Open connections of clients. Any thread. */
  public int connections() {
    return clients;
  }

  int index() {
    return index;
  }

  /** Wall-clock time of the current duty cycle. */
  long epochMillis() {
    return nowEpochMillis;
  }

  public EngineLimits.RequestLimits limits() {
    return limits;
  }

  public RequestPorts ports() {
    return ports;
  }

  public RequestJson json() {
    return json;
  }

  /** Registers an exchange that waits for another replica, until it ends. */
  public void relayed(HttpExchange httpExchange) {
    if (relayed.add(httpExchange)) {
      httpExchange.onEnd(() -> relayed.remove(httpExchange));
    }
  }

  /** Registers an exchange whose message is with handlers, until they or it have ended. */
  void interceptionBegun(HttpExchange httpExchange) {
    handled.add(httpExchange);
    httpExchange.onEnd(() -> handled.remove(httpExchange));
  }

  /** Records that handlers have returned the message of an exchange. */
  void interceptionEnded(HttpExchange httpExchange) {
    handled.remove(httpExchange);
  }

  /** Takes messages through handlers. */
  public RequestInterception interception() {
    return requestInterception;
  }

  /** The queue of starts that wait for kernels. */
  StartQueue startQueue() {
    return starts;
  }

  /** Sets the sender of waiting starts to idle replicas. */
  void offloadStartsWith(StartOffload.StartSender startSender) {
    if (ports.replicaGroup().shared()) {
      startOffload = new StartOffload(ports.replicaGroup(), ports.peers(), starts, startSender);
    }
  }

  public HeadAdmission admission() {
    return headAdmission;
  }

  public BufferBudget budget() {
    return budget;
  }

  public ResponseWriter writer() {
    return writer;
  }

  public PendingRequests pending() {
    return pending;
  }

  /** An empty buffer; its content is copied when an answer is sent. */
  public ByteBuf scratch() {
    if (scratch.capacity() > MAX_KEPT_SCRATCH) {
      scratch.release();
      scratch = Unpooled.buffer(4 << 10);
    }
    return scratch.clear();
  }

  /** A problem as an answer. */
  public Response answer(Problem problem) {
    Response response =
        Response.of(problem.type().status(), MediaTypes.PROBLEM, json.bytes(problem.toPayload()));
    List<String> fields = problem.fields();
    for (int i = 0; i < fields.size(); i += 2) {
      response.field(fields.get(i), fields.get(i + 1));
    }
    return response;
  }

  /** Counts one more request; returns false when there are too many. */
  public boolean begin() {
    int before = requests;
    if (before >= limits.maxRequests()) {
      return false;
    }
    requests = before + 1;
    return true;
  }

  public void ended() {
    int before = requests;
    requests = before - 1;
  }

  public void opened(HttpConnection httpConnection) {
    connectionSet.add(httpConnection);
    countClients(httpConnection, 1);
  }

  public void closed(HttpConnection httpConnection) {
    connectionSet.remove(httpConnection);
    countClients(httpConnection, -1);
  }

  private void countClients(HttpConnection httpConnection, int change) {
    int before = clients;
    clients = httpConnection.fromPeer() ? before : before + change;
  }

  /** Queues a connection whose next request has its turn in another cycle. */
  public void resumeLater(HttpConnection httpConnection) {
    resuming.addLast(httpConnection);
  }

  /** Connections with nothing under way. */
  public IdleClientConnections idleConnections() {
    return idleClientConnections;
  }

  /** The bytes that wait for clients that read slowly. */
  public UnsentBytes unsent() {
    return unsent;
  }

  public void markDirty(HttpConnection httpConnection) {
    touched.add(httpConnection);
  }

  public void countSlow() {
    lateReplies.increment();
  }

  public void failed(Throwable cause) {
    failures.increment();
    LOG.error("{} failed to handle a request or a connection", role(), cause);
  }
}
