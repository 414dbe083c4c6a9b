package dev.pinion.core.invoker;

import dev.pinion.core.stage.Stage;
import org.jspecify.annotations.Nullable;

/**
 * Queue of nodes with the same timeout, oldest first: because the time is the same for all, the
 * order of arrival is the order of the deadlines, and every operation takes constant time.
 *
 * <p>Between duty cycles the time is unknown, so a node has no deadline when it is added; it gets
 * one from {@link #start} in the next cycle. The links are in the nodes: a node is in at most one
 * queue.
 */
public final class TimeoutQueue<N extends TimeoutQueue.TimeoutNode<N>> {
  /** Base of queued objects. */
  public abstract static class TimeoutNode<N extends TimeoutNode<N>> {
    public @Nullable TimeoutQueue<N> queue;
    @Nullable N before;
    @Nullable N after;
    public long deadlineNanos;
    public boolean started;
  }

  private final long timeoutNanos;
  private @Nullable N oldest;
  private @Nullable N newest;
  private @Nullable N unstarted;

  public TimeoutQueue(long timeoutNanos) {
    this.timeoutNanos = timeoutNanos;
  }

  /** Timeout of the nodes. */
  public long timeoutNanos() {
    return timeoutNanos;
  }

  /** Adds a node as the newest. */
  public void add(N node) {
    if (node.queue != null) {
      throw new IllegalStateException("expected a node that is in no queue");
    }
    node.queue = this;
    node.started = false;
    node.before = newest;
    if (newest == null) {
      oldest = node;
    } else {
      newest.after = node;
    }
    newest = node;
    if (unstarted == null) {
      unstarted = node;
    }
  }

  /** Removes a node; no effect when it is not in this queue. */
  public void remove(N node) {
    if (node.queue != this) {
      return;
    }
    N before = node.before;
    N after = node.after;
    if (before == null) {
      oldest = after;
    } else {
      before.after = after;
    }
    if (after == null) {
      newest = before;
    } else {
      after.before = before;
    }
    if (!node.started && (before == null || before.started)) {
      unstarted = after;
    }
    node.before = null;
    node.after = null;
    node.queue = null;
  }

  /** Sets the deadlines of the nodes added since the last call. */
  public void start(long nowNanos) {
    for (N node = unstarted; node != null; node = node.after) {
      node.deadlineNanos = nowNanos + timeoutNanos;
      node.started = true;
    }
    unstarted = null;
  }

  /** Time since a node of this queue got its deadline; 0 before that. */
  public long ageNanos(N node, long nowNanos) {
    return node.started ? nowNanos - (node.deadlineNanos - timeoutNanos) : 0;
  }

  /** Removes and returns the oldest node if its time is up, else null. */
  public @Nullable N pollExpired(long nowNanos) {
    N node = oldest;
    if (node == null || !node.started || node.deadlineNanos > nowNanos) {
      return null;
    }
    remove(node);
    return node;
  }

  /** Removes and returns the oldest node, or null when there is none. */
  public @Nullable N poll() {
    N node = oldest;
    if (node != null) {
      remove(node);
    }
    return node;
  }

  /** The oldest node, or null. */
  public @Nullable N oldest() {
    return oldest;
  }

  /** Whether a node waits for its deadline to be set. */
  public boolean hasUnstarted() {
    return unstarted != null;
  }

  /** The next deadline, or {@link Stage#NO_DEADLINE}. */
  public long nextDeadlineNanos() {
    return oldest == null || !oldest.started ? Stage.NO_DEADLINE : oldest.deadlineNanos;
  }
}
