package dev.pinion.core.api;

import dev.pinion.core.api.port.KernelDispatcher;
import dev.pinion.core.api.port.RequestPorts;
import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.RequestJson;
import dev.pinion.core.limits.RequestLimits;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.HeapAccount;
import dev.pinion.core.peer.StartOffload;
import dev.pinion.core.peer.StartQueue;
import dev.pinion.core.stage.Stage;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * What the operations of one event loop share: the way to the kernels, the requests that wait for
 * them, and the limits. Event loop only, unless stated otherwise.
 */
final class RequestContext {
  /** Size from which room for a body is checked here; smaller ones are left to the kernels. */
  private static final int LARGE_BODY_BYTES = 512;

  /** Usual heap bytes of a value for each byte of its body. */
  private static final int HEAP_FOR_A_BYTE = 4;

  private final int index;
  private final RequestLimits limits;
  private final RequestPorts ports;
  private final RequestJson json;
  private final StartQueue starts;
  private final PendingRequests pending = new PendingRequests();
  private final ListConcurrencyLimit lists;
  private @Nullable StartOffload startOffload;
  private long epochMillis;
  private volatile boolean draining;
  private volatile boolean outOfTime;

  /**
   * The context of one event loop.
   *
   * @param index number of its Request Handler: the {@code handler} of its {@link ReplyAddress}
   */
  RequestContext(int index, RequestLimits limits, RequestPorts ports, RequestJson json) {
    this.index = index;
    this.limits = limits;
    this.ports = ports;
    this.json = json;
    this.lists = new ListConcurrencyLimit(limits.maxLists());
    this.starts = new StartQueue(limits, ports.peers().group().shared());
  }

  /** The address of replies to a request. */
  <R extends Reply> ReplyAddress<R> addressOf(long request) {
    return new ReplyAddress<>(index, request);
  }

  /** Offers a command to a kernel, and counts its value until the kernel has it. */
  boolean offer(Command command) {
    long counted = heap().beginTransfer(valueBytes(command));
    boolean taken = kernels().offer(command);
    if (!taken) {
      heap().endTransfer(counted);
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
    if (bytes >= LARGE_BODY_BYTES && heap().refuses((long) HEAP_FOR_A_BYTE * bytes)) {
      throw new ProblemException(Problem.overload("kernel.maxHeldBytes"));
    }
  }

  /** Sets the sender of waiting starts to idle replicas. */
  void offloadStartsWith(StartOffload.StartSender startSender) {
    if (ports.peers().group().shared()) {
      startOffload =
          new StartOffload(ports.peers().group(), ports.peers().client(), starts, startSender);
    }
  }

  /** Lets idle replicas take waiting starts. */
  void offload(long nowNanos) {
    if (startOffload != null) {
      startOffload.offer(nowNanos);
    }
  }

  /** Time of the next question to idle replicas; {@link Stage#NO_DEADLINE} for none. */
  long nextOffloadNanos() {
    return startOffload == null ? Stage.NO_DEADLINE : startOffload.nextNanos();
  }

  /** Begins a duty cycle. */
  void beginTurn(long atEpochMillis) {
    epochMillis = atEpochMillis;
  }

  /** Wall-clock time of the current duty cycle. */
  long epochMillis() {
    return epochMillis;
  }

  /** Refuses starts from now on. Any thread. */
  void drain() {
    draining = true;
  }

  /** Whether starts are refused. Any thread. */
  boolean isDraining() {
    return draining;
  }

  /** Ends the waits for instances from now on. Any thread. */
  void endWaits() {
    outOfTime = true;
  }

  /** Whether {@link #endWaits} was called. Any thread. */
  boolean haveWaitsEnded() {
    return outOfTime;
  }

  RequestLimits limits() {
    return limits;
  }

  RequestPorts ports() {
    return ports;
  }

  /** The way to the kernels. */
  KernelDispatcher kernels() {
    return ports.kernels().dispatcher();
  }

  /** Account of the heap that values take. */
  HeapAccount heap() {
    return ports.kernels().heap();
  }

  RequestJson json() {
    return json;
  }

  /** The requests that wait for kernels. */
  PendingRequests pending() {
    return pending;
  }

  /** The queue of starts that wait for kernels. */
  StartQueue startQueue() {
    return starts;
  }

  /** The counter of its lists. */
  ListConcurrencyLimit lists() {
    return lists;
  }
}
