package dev.pinion.broker.service;

import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.model.CoordinationPattern;
import dev.pinion.broker.model.Implementation;
import dev.pinion.broker.model.Share;
import dev.pinion.broker.optimise.ClassLevel;
import dev.pinion.broker.optimise.PlanReview;
import dev.pinion.broker.registry.PublishedTable;
import dev.pinion.broker.registry.ServiceRegistry;
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
   * @param serviceRegistry the services that may have the calls now
   */
  static List<ClassLevel> of(
      List<ClassLevel> before, PublishedTable table, ServiceRegistry serviceRegistry) {
    return before.stream().map(each -> level(each, table, serviceRegistry)).toList();
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

  private static ClassLevel level(
      ClassLevel before, PublishedTable table, ServiceRegistry serviceRegistry) {
    Map<String, List<TableShare>> bindings = table.bindings().getOrDefault(before.id(), Map.of());
    Map<String, List<Share>> shares = new LinkedHashMap<>();
    before
        .shares()
        .forEach(
            (task, each) -> {
              List<TableShare> now = bindings.getOrDefault(task, List.of());
              shares.put(task, shares(each, now, serviceRegistry));
            });
    if (shares.equals(before.shares())) {
      return before;
    }
    return new ClassLevel(before.id(), Double.NaN, Double.NaN, Double.NaN, before.served(), shares);
  }

  private static List<Share> shares(
      List<Share> before, List<TableShare> now, ServiceRegistry serviceRegistry) {
    return now.stream()
        .flatMap(
            each ->
                implementation(before, each, serviceRegistry)
                    .map(found -> new Share(found, each.fraction()))
                    .stream())
        .toList();
  }

  private static Optional<Implementation> implementation(
      List<Share> before, TableShare share, ServiceRegistry serviceRegistry) {
    Optional<Implementation> same =
        before.stream()
            .map(Share::implementation)
            .filter(each -> each.pattern() == share.pattern() && ids(each).equals(share.services()))
            .findFirst();
    return same.isPresent() || share.pattern() != CoordinationPattern.SINGLE
        ? same
        : serviceRegistry
            .service(share.services().getFirst())
            .map(each -> Implementation.single(each.promise()));
  }

  private static List<String> ids(Implementation implementation) {
    return implementation.services().stream().map(each -> each.id()).toList();
  }
}
