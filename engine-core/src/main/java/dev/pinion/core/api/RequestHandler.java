package dev.pinion.core.api;

import dev.pinion.core.api.port.RequestPorts;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.http.HttpServer;
import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.RequestJson;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.limits.RequestLimits;
import dev.pinion.core.message.AddressedReply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.peer.StartQueue;
import dev.pinion.core.stage.Lane;
import dev.pinion.core.stage.Stage;
import java.util.List;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * The stage that turns HTTP requests into messages for the kernels and their replies into answers.
 *
 * <p>One per event loop: its {@link HttpServer} and everything that waits for kernels have one
 * owner, which calls {@link #doWork} after Netty has read what arrived.
 */
public final class RequestHandler implements Stage {
  private static final int REPLIES_PER_CYCLE = 4_096;

  private final int index;
  private final RequestContext context;
  private final Lane<AddressedReply> replies;
  private final Consumer<AddressedReply> onReply = this::onReply;
  private final HttpServer httpServer;

  private final LongAccumulator longestWaitNanos = new LongAccumulator(Long::max, 0);
  private final LongAdder lateReplies = new LongAdder();

  /**
   * A handler without connections.
   *
   * @param index its number among the handlers of the replica: the {@code handler} of its {@link
   *     ReplyAddress}
   * @param limits the limits in force
   * @param codec reads inputs and writes outputs
   * @param ports its interfaces to other parts
   * @param replies the lane through which kernels answer, of at least {@link
   *     RequestLimits#replyCapacity}
   */
  public RequestHandler(
      int index,
      EngineLimits limits,
      PayloadCodec codec,
      RequestPorts ports,
      Lane<AddressedReply> replies) {
    int least = limits.request().replyCapacity(ports.kernels().dispatcher().kernels());
    if (replies.capacity() < least) {
      throw new IllegalArgumentException(
          "expected a reply lane of at least " + least + " messages, found " + replies.capacity());
    }
    this.index = index;
    this.replies = replies;
    RequestJson json = new RequestJson(codec);
    this.context = new RequestContext(index, limits.request(), ports, json);
    RequestInterception interception =
        new RequestInterception(
            ports.policies().interceptor(),
            new DefinitionSubject(ports.definitions()),
            ports.peers().load(),
            json);
    this.httpServer =
        new HttpServer(
            role(),
            limits.request(),
            RouteTable.create(context, limits),
            ports.clients(),
            interception,
            json);
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
    context.beginTurn(epochMillis);
    httpServer.beginTurn(epochMillis);
    int work = replies.drain(onReply, REPLIES_PER_CYCLE);
    work += context.haveWaitsEnded() ? refuseWaiting() : endWaits(nowNanos);
    work += lend(nowNanos);
    work += httpServer.resume();
    context.pending().startWaits(nowNanos);
    return work + httpServer.endTurn(nowNanos);
  }

  @Override
  public boolean hasWork() {
    return httpServer.hasWork() || !replies.isEmpty() || context.startQueue().canRelease();
  }

  @Override
  public long nextDeadlineNanos() {
    long waits = Math.min(context.nextOffloadNanos(), context.pending().earliestNanos());
    return Math.min(waits, httpServer.nextDeadlineNanos());
  }

  @Override
  public void onClose() {
    httpServer.close();
  }

  private void onReply(AddressedReply addressed) {
    pass(addressed);
    context.heap().endTransfer(addressed.reply().carried());
  }

  private void pass(AddressedReply addressed) {
    context.startQueue().taken(addressed.request());
    PendingRequest<?> pendingRequest = context.pending().get(addressed.request());
    if (pendingRequest == null) {
      lateReplies.increment();
      return;
    }
    pendingRequest.exchange().run(() -> pendingRequest.handle(addressed.reply()));
  }

  /** Begins waiting starts, and lets idle replicas take others. */
  private int lend(long nowNanos) {
    longestWaitNanos.accumulate(context.startQueue().oldestWaitNanos(nowNanos));
    int released = context.startQueue().release();
    context.offload(nowNanos);
    return released;
  }

  private int endWaits(long nowNanos) {
    List<PendingRequest<?>> due = context.pending().takeDue(nowNanos);
    for (PendingRequest<?> pendingRequest : due) {
      pendingRequest.exchange().run(pendingRequest::onDeadline);
    }
    return due.size();
  }

  /** Answers every request that waits for an instance: the replica ends before the instance. */
  private int refuseWaiting() {
    List<PendingRequest<?>> waiting = context.pending().takeAll();
    for (PendingRequest<?> pendingRequest : waiting) {
      pendingRequest.exchange().run(pendingRequest::onShutdown);
    }
    List<StartQueue.QueuedStart> unbegun = context.startQueue().takeAll();
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
    context.drain();
    httpServer.drain();
  }

  /**
   * From now on answers 503 to requests that wait for instances, because the replica ends. Any
   * thread; takes effect with the next duty cycle.
   */
  public void endWaits() {
    context.endWaits();
  }

  /** Whether {@link #drain} was called. Any thread. */
  public boolean isDraining() {
    return context.isDraining();
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

  /** The connections of this handler. */
  public HttpServer http() {
    return httpServer;
  }

  /** What its operations share. */
  RequestContext context() {
    return context;
  }
}
