package dev.pinion.broker.binding;

import dev.pinion.broker.model.AbstractTask;
import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.model.Implementation;
import dev.pinion.broker.model.Share;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is left of the shares of a task when services are down. */
final class Repair {
  /** The most reliable one; of several the fastest, then the cheapest. */
  private static final Comparator<ConcreteService> BEST =
      Comparator.comparingDouble(ConcreteService::reliability)
          .reversed()
          .thenComparingDouble(ConcreteService::response)
          .thenComparingDouble(ConcreteService::cost)
          .thenComparing(ConcreteService::id);

  private Repair() {}

  /** Shares that sum up to 1 and use no service that is down; empty when all of the task are. */
  static List<Share> of(List<Share> shares, @Nullable AbstractTask task, Set<String> down) {
    List<Share> alive = shares.stream().filter(each -> !uses(each.implementation(), down)).toList();
    if (alive.size() == shares.size()) {
      return shares;
    }
    if (alive.isEmpty()) {
      return task == null ? List.of() : bestSingle(task, down);
    }
    double sum = alive.stream().mapToDouble(Share::fraction).sum();
    return alive.stream()
        .map(each -> new Share(each.implementation(), each.fraction() / sum))
        .toList();
  }

  private static boolean uses(Implementation implementation, Set<String> down) {
    return implementation.services().stream().anyMatch(each -> down.contains(each.id()));
  }

  private static List<Share> bestSingle(AbstractTask task, Set<String> down) {
    return task.services().stream()
        .filter(each -> !down.contains(each.id()))
        .min(BEST)
        .map(each -> List.of(new Share(Implementation.single(each), 1)))
        .orElse(List.of());
  }
}
