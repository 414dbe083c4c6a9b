package dev.pinion.core.kernel.table;

import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.HeapAccount;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.InstanceView;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Reads results of ended instances for clients. A result is kept as bytes, and many trees requested
 * at once would fill the heap.
 *
 * <pre>
 *   asked ──▶ short, or the heap has room ──▶ tree, counted ──▶ Request Handler ──▶ JSON, not counted
 *     └── no room: the question waits ──▲
 * </pre>
 *
 * <p>Kernel thread only.
 */
public final class PendingResultReads {
  /** Length below which a result is read without a check of the heap. */
  private static final int SHORT_BYTES = 512;

  /** Bytes read in the time of one step of an expression. */
  private static final int BYTES_PER_STEP = 16;

  /**
   * A read of a result.
   *
   * @param id the instance
   * @param replyTo receiver of the result
   */
  public record ResultRead(InstanceId id, ReplyAddress<? super Reply.EndReply> replyTo) {}

  private final HeapAccount heap;
  private final int most;
  private final Deque<ResultRead> waiting = new ArrayDeque<>(0);
  private long spent;

  /**
   * No results read, and no queries waiting.
   *
   * @param most bound of the queries that wait for room
   */
  public PendingResultReads(HeapAccount heap, int most) {
    this.heap = heap;
    this.most = most;
  }

  /** Work done so far, in steps of expressions. */
  public long spent() {
    return spent;
  }

  /** Whether the heap has room for the tree of a result. */
  public boolean hasRoom(FinishedInstances.RetainedInstance retainedInstance) {
    return retainedInstance.length() < SHORT_BYTES || heap.hasRoomForResponses();
  }

  /** Adds a query to the queue for room; returns whether it fits. */
  public boolean await(ResultRead query) {
    return waiting.size() < most && waiting.add(query);
  }

  /** Whether queries wait. */
  public boolean areAwaited() {
    return !waiting.isEmpty();
  }

  /** Whether {@link #poll} would return a query. */
  public boolean canPoll() {
    return !waiting.isEmpty() && heap.hasRoomForResponses();
  }

  /** The next query, once there is room for its answer, or null. */
  public @Nullable ResultRead poll() {
    return canPoll() ? waiting.poll() : null;
  }

  /** The reply about an ended instance. */
  public Reply.Ended reply(FinishedInstances.RetainedInstance retainedInstance) {
    InstanceView view = retainedInstance.view();
    long carried = 0;
    if (retainedInstance.length() >= SHORT_BYTES) {
      spent += retainedInstance.length() / BYTES_PER_STEP;
      Payload output = view.output();
      carried = heap.beginTransfer(output == null ? retainedInstance.length() : output.heapBytes());
    }
    return new Reply.Ended(view, carried);
  }
}
