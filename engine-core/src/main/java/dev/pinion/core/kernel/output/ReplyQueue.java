package dev.pinion.core.kernel.output;

import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Outgoing replies, in order. Keeps those that found no room; as long as it keeps any, the kernel
 * takes no further requests, so they are no more than the requests taken and the waiters of
 * instances.
 */
public final class ReplyQueue {
  private final EffectLanes lanes;
  private final Deque<Unsent<?>> unsent = new ArrayDeque<>();

  private record Unsent<R extends Reply>(ReplyAddress<R> to, R reply) {
    boolean send(EffectLanes lanes) {
      return lanes.reply(to, reply);
    }
  }

  /** An empty queue. */
  public ReplyQueue(EffectLanes lanes) {
    this.lanes = lanes;
  }

  /** Sends a reply, behind those that found no room. */
  public <R extends Reply> void send(ReplyAddress<R> to, R reply) {
    if (!unsent.isEmpty() || !lanes.reply(to, reply)) {
      unsent.add(new Unsent<>(to, reply));
    }
  }

  /** Retries replies that found no room; returns how many were sent. */
  public int resend() {
    int sent = 0;
    for (Unsent<?> next = unsent.peek(); next != null; next = unsent.peek()) {
      if (!next.send(lanes)) {
        break;
      }
      unsent.remove();
      sent++;
    }
    return sent;
  }

  /** Whether no reply waits for room. */
  public boolean areAllSent() {
    return unsent.isEmpty();
  }
}
