package dev.pinion.broker.front;

import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.Implementation;
import dev.pinion.broker.model.Pattern;
import dev.pinion.broker.model.Share;
import dev.pinion.broker.optimise.ClassLevel;
import dev.pinion.broker.optimise.PlanReview;
import dev.pinion.broker.registry.PublishedTable;
import dev.pinion.broker.registry.Registry;
import dev.pinion.broker.registry.TableShare;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Levels of the classes after the repair of a table. */
final class RepairedLevels {
  private RepairedLevels() {}

  /**
   * The classes of a plan by a repaired table.
   *
   * @param registry the services that may have the calls now
   */
  static List<ClassLevel> of(List<ClassLevel> before, PublishedTable table, Registry registry) {
    return before.stream().map(each -> level(each, table, registry)).toList();
  }

  /**
   * Their levels in a problem without the services that are gone; unchanged when it cannot tell.
   */
  static List<ClassLevel> reviewed(List<ClassLevel> levels, Optional<BrokerProblem> problem) {
    return problem
        .flatMap(each -> PlanReview.of(each, levels))
        .map(PlanReview::levels)
        .orElse(levels);
  }

  private static ClassLevel level(ClassLevel before, PublishedTable table, Registry registry) {
    Map<String, List<TableShare>> bindings = table.bindings().getOrDefault(before.id(), Map.of());
    Map<String, List<Share>> shares = new LinkedHashMap<>();
    before
        .shares()
        .forEach(
            (task, each) -> {
              List<TableShare> now = bindings.getOrDefault(task, List.of());
              shares.put(task, shares(each, now, registry));
            });
    if (shares.equals(before.shares())) {
      return before;
    }
    return new ClassLevel(before.id(), Double.NaN, Double.NaN, Double.NaN, before.served(), shares);
  }

  private static List<Share> shares(List<Share> before, List<TableShare> now, Registry registry) {
    return now.stream()
        .flatMap(
            each ->
                implementation(before, each, registry)
                    .map(found -> new Share(found, each.fraction()))
                    .stream())
        .toList();
  }

  private static Optional<Implementation> implementation(
      List<Share> before, TableShare share, Registry registry) {
    Optional<Implementation> same =
        before.stream()
            .map(Share::implementation)
            .filter(each -> each.pattern() == share.pattern() && ids(each).equals(share.services()))
            .findFirst();
    return same.isPresent() || share.pattern() != Pattern.SINGLE
        ? same
        : registry
            .service(share.services().getFirst())
            .map(each -> Implementation.single(each.promise()));
  }

  private static List<String> ids(Implementation implementation) {
    return implementation.services().stream().map(each -> each.id()).toList();
  }
}
