package dev.pinion.core.peer;

import dev.pinion.core.partition.ReplicaGroup;
import dev.pinion.core.stage.Stage;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;

/**
 * Lets idle replicas take starts that wait here. While some wait, it asks the other replicas for
 * their load every few milliseconds; an idle one receives a few of the starts. Answers return
 * through the connections of their clients, which stay here. Event loop only.
 */
public final class StartOffload {
  /** A replica with fewer requests under way is idle, and receives starts up to this number. */
  static final int IDLE_BELOW = 8;

  /** Interval between questions to a replica. */
  private static final long INTERVAL_NANOS = 2_000_000;

  private final ReplicaGroup replicaGroup;
  private final PeerClient peers;
  private final StartQueue starts;
  private final StartSender startSender;
  private final long[] nextNanos;
  private final boolean[] asking;
  private long nowNanos;

  /** Sends a start to another replica. */
  public interface StartSender {
    void move(StartQueue.QueuedStart start, int slot);
  }

  public StartOffload(
      ReplicaGroup replicaGroup, PeerClient peers, StartQueue starts, StartSender startSender) {
    this.replicaGroup = replicaGroup;
    this.peers = peers;
    this.starts = starts;
    this.startSender = startSender;
    this.nextNanos = new long[replicaGroup.slots()];
    this.asking = new boolean[replicaGroup.slots()];
  }

  /** Asks the replicas that are due, if any start waits. */
  public void offer(long now) {
    nowNanos = now;
    if (starts.isEmpty()) {
      return;
    }
    for (int slot = 0; slot < nextNanos.length; slot++) {
      if (replicaGroup.serves(slot) && !asking[slot] && now - nextNanos[slot] >= 0) {
        ask(slot);
      }
    }
  }

  /** Time of the next question; {@link Stage#NO_DEADLINE} while nothing waits or all are asked. */
  public long nextNanos() {
    long next = Stage.NO_DEADLINE;
    for (int slot = 0; slot < nextNanos.length && !starts.isEmpty(); slot++) {
      if (replicaGroup.serves(slot) && !asking[slot]) {
        next = Math.min(next, nextNanos[slot]);
      }
    }
    return next;
  }

  private void ask(int slot) {
    asking[slot] = true;
    peers.send(
        slot,
        question(),
        new PeerResponseListener() {
          @Override
          public void onResponse(FullHttpResponse response) {
            answered(slot, response.headers().getInt(PeerLoads.FIELD, IDLE_BELOW));
          }

          @Override
          public void onLost(boolean begun, Throwable cause) {
            answered(slot, IDLE_BELOW);
          }
        });
  }

  private static FullHttpRequest question() {
    FullHttpRequest question =
        new DefaultFullHttpRequest(
            HttpVersion.HTTP_1_1, HttpMethod.GET, "/livez", Unpooled.EMPTY_BUFFER);
    question.headers().set(HttpHeaderNames.HOST, "localhost");
    return question;
  }

  private void answered(int slot, int load) {
    asking[slot] = false;
    nextNanos[slot] = nowNanos + INTERVAL_NANOS;
    for (int moved = load; moved < IDLE_BELOW; moved++) {
      StartQueue.QueuedStart start = starts.takeLast();
      if (start == null) {
        return;
      }
      startSender.move(start, slot);
    }
  }
}
