package dev.pinion.core.api;

import dev.pinion.core.limits.RequestLimits;
import dev.pinion.core.http.HttpServer;
import dev.pinion.core.http.Problem;
import dev.pinion.core.http.ProblemException;
import dev.pinion.core.http.RequestJson;
import dev.pinion.core.peer.StartOffload;
import dev.pinion.core.peer.StartQueue;
import dev.pinion.core.message.AddressedReply;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.stage.Lane;
import dev.pinion.core.stage.Stage;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The stage that turns HTTP requests into messages for the kernels and their replies into answers.
 *
 * <p>One per event loop: its {@link HttpServer} and everything that waits for kernels have one
 * owner, which calls {@link #doWork} after Netty has read what arrived.
 */
public final class RequestHandler implements Stage {
  private static final int REPLIES_PER_CYCLE = 4_096;

  /** Size from which room for a body is checked here; smaller ones are left to the kernels. */
  private static final int LARGE_BODY_BYTES = 512;

  /** Usual heap bytes of a value for each byte of its body. */
  private static final int HEAP_FOR_A_BYTE = 4;

  private final int index;
  private final RequestLimits limits;
  private long nowEpochMillis;
  private final RequestPorts ports;
  private final Lane<AddressedReply> replies;
  private final Consumer<AddressedReply> onReply = this::onReply;
  private final RequestJson json;
  private final HttpServer httpServer;
  private final StartQueue starts;
  private final PendingRequests pending = new PendingRequests();
  private final ListConcurrencyLimit lists = new ListConcurrencyLimit();
  private @Nullable StartOffload startOffload;

  private final LongAccumulator longestWaitNanos = new LongAccumulator(Long::max, 0);
  private final LongAdder lateReplies = new LongAdder();
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
    this.starts = new StartQueue(this.limits.startsAhead(), ports.replicaGroup().shared());
    RequestInterception interception =
        new RequestInterception(
            ports.interceptor(), new DefinitionSubject(ports.definitions()), ports.load(), json);
    this.httpServer =
        new HttpServer(
            role(),
            this.limits,
            RouteTable.create(this, limits),
            ports.hosts(),
            interception,
            ports.clients(),
            ports.connectionReturn(),
            json);
  }

  /**
   * The least capacity of a handler's reply lane: two replies to each request under way (accepted
   * and ended), each kernel's part of each list under way, and the same again for replies that
   * arrive after their request was dropped.
   */
  public static int replyCapacity(RequestLimits limits, int kernels) {
    return 2 * (2 * limits.maxRequests() + ListConcurrencyLimit.MAX * kernels);
  }

  /** Offers a command to a kernel, and counts its value until the kernel has it. */
  boolean offer(Command command) {
    long counted = ports.heap().beginTransfer(valueBytes(command));
    boolean taken = ports.kernels().offer(command);
    if (!taken) {
      ports.heap().endTransfer(counted);
    }
    return taken;
  }

  private static long valueBytes(Command command) {
    return switch (command) {
      case Command.Start start -> start.input().heapBytes();
      case Command.AcceptCallback late -> late.answer().bytes().length;
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
    nowEpochMillis = epochMillis;
    httpServer.beginTurn(epochMillis);
    int work = replies.drain(onReply, REPLIES_PER_CYCLE);
    work += outOfTime ? refuseWaiting() : endWaits(nowNanos);
    work += lend(nowNanos);
    work += httpServer.resume();
    pending.startWaits(nowNanos);
    return work + httpServer.endTurn(nowNanos);
  }

  @Override
  public boolean hasWork() {
    return httpServer.hasWork() || !replies.isEmpty() || starts.canRelease();
  }

  @Override
  public long nextDeadlineNanos() {
    long lend = startOffload == null ? NO_DEADLINE : startOffload.nextNanos();
    return Math.min(lend, Math.min(pending.earliestNanos(), httpServer.nextDeadlineNanos()));
  }

  @Override
  public void onClose() {
    httpServer.close();
  }

  private void onReply(AddressedReply addressed) {
    pass(addressed);
    ports.heap().endTransfer(addressed.reply().carried());
  }

  private void pass(AddressedReply addressed) {
    starts.taken(addressed.request());
    PendingRequest<?> pendingRequest = pending.get(addressed.request());
    if (pendingRequest == null) {
      lateReplies.increment();
      return;
    }
    pendingRequest.exchange().run(() -> pendingRequest.handle(addressed.reply()));
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

  private int endWaits(long nowNanos) {
    List<PendingRequest<?>> due = pending.takeDue(nowNanos);
    for (PendingRequest<?> pendingRequest : due) {
      pendingRequest.exchange().run(pendingRequest::onDeadline);
    }
    return due.size();
  }

  /** Answers every request that waits for an instance: the replica ends before the instance. */
  private int refuseWaiting() {
    List<PendingRequest<?>> waiting = pending.takeAll();
    for (PendingRequest<?> pendingRequest : waiting) {
      pendingRequest.exchange().run(pendingRequest::onShutdown);
    }
    List<StartQueue.QueuedStart> unbegun = starts.takeAll();
    for (StartQueue.QueuedStart start : unbegun) {
      start.exchange().reject(Problem.shuttingDown());
    }
    return waiting.size() + unbegun.size() + httpServer.endDetached();
  }

  /**
   * Refuses starts and closes each connection after its next answer; requests under way are
   * answered. Any thread.
   */
  public void drain() {
    httpServer.drain();
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
    return httpServer.isDraining();
  }

  /** Replies that arrived after their request was answered or its client had gone. Any thread. */
  public long lateReplies() {
    return lateReplies.sum() + httpServer.lostTasks();
  }

  /** Requests and connections that ended by a failure of the engine. Any thread. */
  public long failures() {
    return httpServer.failures();
  }

  /** Idle connections closed to make room for new clients. Any thread. */
  public long evictedConnections() {
    return httpServer.evictedConnections();
  }

  /** Connections closed because their clients read too slowly. Any thread. */
  public long slowConnections() {
    return httpServer.slowConnections();
  }

  /** Requests being answered now. Any thread. */
  public int requests() {
    return httpServer.requests();
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
    return httpServer.connections();
  }

  int index() {
    return index;
  }

  /** Wall-clock time of the current duty cycle. */
  long epochMillis() {
    return nowEpochMillis;
  }

  public RequestLimits limits() {
    return limits;
  }

  public RequestPorts ports() {
    return ports;
  }

  public RequestJson json() {
    return json;
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

  /** The connections of this handler. */
  public HttpServer http() {
    return httpServer;
  }

  PendingRequests pending() {
    return pending;
  }
}
