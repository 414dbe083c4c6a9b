package dev.pinion.bootstrap.supervise;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Restarts replicas one at a time: the next one only when the previous one serves again. It ends at
 * one that does not come back. Used by the supervisor's thread only.
 */
final class RollingRestart {
  private final int number;
  private final Instant time;
  private final Deque<SupervisedReplica> left;
  private final List<Integer> done = new ArrayList<>();
  private @Nullable SupervisedReplica current;
  private int generationBefore;
  private RollingRestartStatus.RestartState restartState =
      RollingRestartStatus.RestartState.RUNNING;
  private String text;

  RollingRestart(int number, Instant time, Collection<SupervisedReplica> replicas) {
    this.number = number;
    this.time = time;
    this.left = new ArrayDeque<>(replicas);
    this.text = "restart " + number + " of " + indexes(left) + " is under way";
  }

  boolean running() {
    return restartState == RollingRestartStatus.RestartState.RUNNING;
  }

  String text() {
    return text;
  }

  RollingRestartStatus status() {
    return new RollingRestartStatus(number, time, restartState, done, indexes(left), text);
  }

  /**
   * Proceeds as far as possible.
   *
   * @param restart starts the restart of one replica
   */
  void step(Consumer<SupervisedReplica> restart) {
    while (running()) {
      SupervisedReplica replica = current;
      if (replica == null) {
        start(restart);
      } else if (replica.generation() == generationBefore) {
        if (replica.state() == ReplicaState.STOPPED) {
          fail(replica, "is stopped");
        }
        return;
      } else if (replica.generation() > generationBefore + 1) {
        fail(replica, "did not come back at its first start");
      } else if (replica.state() == ReplicaState.READY) {
        done.add(replica.index());
        left.removeFirst();
        current = null;
      } else if (replica.state() == ReplicaState.STARTING) {
        return;
      } else {
        fail(replica, "did not come back");
      }
    }
  }

  private void start(Consumer<SupervisedReplica> restart) {
    current = left.peekFirst();
    if (current == null) {
      restartState = RollingRestartStatus.RestartState.DONE;
      text = "restart " + number + " of " + done + " is done";
    } else {
      generationBefore = current.generation();
      restart.accept(current);
    }
  }

  private void fail(SupervisedReplica replica, String reason) {
    restartState = RollingRestartStatus.RestartState.FAILED;
    left.removeFirst();
    text =
        String.format(
            Locale.ROOT,
            "restart %d ended early: replica %d %s; restarted are %s, left alone are %s",
            number,
            replica.index(),
            reason,
            done,
            indexes(left));
    left.addFirst(replica);
  }

  private static List<Integer> indexes(Collection<SupervisedReplica> replicas) {
    return replicas.stream().map(SupervisedReplica::index).toList();
  }
}
