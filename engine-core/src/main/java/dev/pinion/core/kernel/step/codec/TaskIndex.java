package dev.pinion.core.kernel.step.codec;

import dev.pinion.core.graph.Block;
import dev.pinion.core.graph.Compensation;
import dev.pinion.core.graph.Node;
import dev.pinion.core.graph.ProcessGraph;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Index of the tasks of a graph by their numbers, with their positions. */
public final class TaskIndex {
  private final @Nullable TaskPosition[] places;
  private final Node.Do root;
  private final Deque<Block> unseen = new ArrayDeque<>();

  /**
   * Position of a task.
   *
   * @param block its block; null for the root, for a branch of a fork and for a compensation
   * @param index its position in the block, else 0
   */
  public record TaskPosition(Node task, @Nullable Block block, int index) {}

  /** The index of a graph. */
  public TaskIndex(ProcessGraph graph) {
    this.places = new TaskPosition[graph.tasks()];
    this.root = graph.root();
    unseen.add(graph.body());
    for (Block block = unseen.poll(); block != null; block = unseen.poll()) {
      List<Node> tasks = block.tasks();
      for (int i = 0; i < tasks.size(); i++) {
        put(tasks.get(i), block, i);
      }
    }
  }

  private void put(Node task, @Nullable Block block, int index) {
    places[task.attributes().id()] = new TaskPosition(task, block, index);
    Compensation compensation = task.attributes().compensation();
    if (compensation != null) {
      put(compensation.task(), null, 0);
    }
    switch (task) {
      case Node.Do nested -> unseen.add(nested.body());
      case Node.For loop -> unseen.add(loop.body());
      case Node.ParallelForEach loop -> unseen.add(loop.body());
      case Node.Try attempt -> {
        unseen.add(attempt.body());
        if (attempt.handler().body() != null) {
          unseen.add(attempt.handler().body());
        }
      }
      case Node.Listen listen when listen.foreach() != null && listen.foreach().body() != null ->
          unseen.add(listen.foreach().body());
      case Node.Subscribe subscription
          when subscription.foreach() != null && subscription.foreach().body() != null ->
          unseen.add(subscription.foreach().body());
      case Node.Fork fork -> fork.branches().forEach(branch -> put(branch, null, 0));
      default -> {}
    }
  }

  /**
   * The task with a number, -1 for the workflow itself.
   *
   * @param hash hash of the pointer that the task had when its number was stored
   * @throws IllegalArgumentException when this is another graph
   */
  public TaskPosition position(int id, int hash) {
    TaskPosition taskPosition =
        id == root.attributes().id()
            ? new TaskPosition(root, null, 0)
            : id >= 0 && id < places.length ? places[id] : null;
    if (taskPosition == null || hash(taskPosition.task) != hash) {
      throw new IllegalArgumentException(
          "expected task "
              + id
              + " of the definition where it was, found "
              + (taskPosition == null ? "none" : taskPosition.task.attributes().pointer()));
    }
    return taskPosition;
  }

  /** Distinguishes a task from others that may get its number. */
  public static int hash(Node task) {
    return task.attributes().pointer().hashCode() & 0x3fff;
  }
}
