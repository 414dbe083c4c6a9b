package dev.pinion.broker.binding;

import dev.pinion.broker.model.AbstractTask;
import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.model.Implementation;
import dev.pinion.broker.model.Pattern;
import dev.pinion.broker.model.Share;
import dev.pinion.broker.registry.PublishedTable;
import dev.pinion.broker.registry.RegisteredService;
import dev.pinion.broker.registry.Registry;
import dev.pinion.broker.registry.TableShare;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A published table without services that are down, as {@link BindingPlan#repaired} does it for a
 * plan. An abstract service that nobody alive stands for keeps its shares: calls of it fail with
 * what the service says, and go well as soon as it is back.
 */
public final class TableRepair {
  private final Registry registry;
  private final Set<String> down;
  private final Instant now;

  private TableRepair(Registry registry, Set<String> down, Instant now) {
    this.registry = registry;
    this.down = down;
    this.now = now;
  }

  /** The same table, of the same version, without those who are down. */
  public static PublishedTable of(PublishedTable table, Set<String> down, Instant now) {
    TableRepair repair = new TableRepair(table.registry(), down, now);
    Map<String, Map<String, List<TableShare>>> classes = new LinkedHashMap<>();
    table
        .bindings()
        .forEach(
            (serviceClass, services) -> {
              Map<String, List<TableShare>> repaired = new LinkedHashMap<>();
              services.forEach((name, shares) -> repaired.put(name, repair.shares(name, shares)));
              classes.put(serviceClass, repaired);
            });
    return new PublishedTable(table.version(), table.defaultClass(), table.registry(), classes);
  }

  private List<TableShare> shares(String name, List<TableShare> shares) {
    List<ConcreteService> able =
        registry.services().stream()
            .filter(each -> each.serves().contains(name) && each.isValidAt(now))
            .map(RegisteredService::promise)
            .toList();
    AbstractTask task = new AbstractTask(name, able, Set.of(Pattern.SINGLE));
    List<Share> alive = Repair.of(shares.stream().map(this::share).toList(), task, down);
    return alive.isEmpty() ? shares : alive.stream().map(TableRepair::share).toList();
  }

  private Share share(TableShare share) {
    List<ConcreteService> services =
        share.services().stream().map(id -> registry.service(id).orElseThrow().promise()).toList();
    return new Share(new Implementation(share.pattern(), services, 0, 0, 0), share.fraction());
  }

  private static TableShare share(Share share) {
    Implementation called = share.implementation();
    return new TableShare(
        called.pattern(),
        called.services().stream().map(ConcreteService::id).toList(),
        share.fraction());
  }
}
