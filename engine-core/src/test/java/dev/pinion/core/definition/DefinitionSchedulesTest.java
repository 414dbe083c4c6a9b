package dev.pinion.core.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;

import dev.pinion.core.graph.Node;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.DefinitionName;
import dev.pinion.core.spi.DefinitionCatalog.Deployment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which version of a name has the schedule, and which schedules are refused. */
class DefinitionSchedulesTest {
  private static final DefinitionName NAME = new DefinitionName("test", "a");
  private static final DefinitionKey OLD = new DefinitionKey("test", "a", "1.0.0");
  private static final DefinitionKey NEW = new DefinitionKey("test", "a", "1.10.0");
  private static final String EVERY = "schedule: {every: PT1M}\n";

  private final InMemoryDefinitionStore store = new InMemoryDefinitionStore();
  private final DefinitionRegistry registry =
      new DefinitionRegistry(EngineLimits.defaults(), store);

  private static Deployment deploy(
      DefinitionRegistry registry, DefinitionKey key, String schedule, boolean dryRun) {
    String source =
        "document: {dsl: 1.0.3, namespace: %s, name: %s, version: %s}\n%sdo:\n  - x: {wait: PT1S}\n"
            .formatted(key.namespace(), key.name(), key.version(), schedule);
    return registry.deploy(
        source.getBytes(StandardCharsets.UTF_8), "application/yaml", null, dryRun);
  }

  private void deploy(DefinitionKey key, String schedule) {
    assertInstanceOf(Deployment.Created.class, deploy(registry, key, schedule, false));
  }

  /** The version that has the schedule, or null. */
  private static @Nullable DefinitionKey scheduled(DefinitionRegistry registry) {
    ProcessGraph graph = registry.schedules().get(NAME);
    Node.Schedule task = graph == null ? null : graph.scheduleTask();
    return task == null ? null : task.definition();
  }

  @Test
  void shouldBeThatOfTheNewestVersionWhateverWasDeployedLast() {
    deploy(NEW, EVERY);
    deploy(OLD, EVERY);

    assertEquals(NEW, scheduled(registry));
    ProcessGraph graph = Objects.requireNonNull(registry.schedules().get(NAME));
    assertEquals(new DefinitionKey("test", "a.schedule", "1.10.0"), graph.key());
    assertEquals(Set.of(NAME), registry.schedules().keySet());
  }

  @Test
  void shouldBeThatOfTheNextLowerVersionWhenOneIsDisabledOrDeleted() {
    deploy(OLD, EVERY);
    deploy(NEW, EVERY);
    registry.setEnabled(NEW, false);
    assertEquals(OLD, scheduled(registry));
    registry.setEnabled(NEW, true);
    assertEquals(NEW, scheduled(registry));

    registry.delete(NEW);
    assertEquals(OLD, scheduled(registry));
    registry.setEnabled(OLD, false);
    assertEquals(Map.of(), registry.schedules(), "none is enabled");
    registry.setEnabled(OLD, true);
    registry.delete(OLD);
    assertEquals(Map.of(), registry.schedules());
  }

  @Test
  void shouldBeNoneWhenTheNewestVersionHasNone() {
    deploy(OLD, EVERY);
    deploy(NEW, "");

    assertEquals(Map.of(), registry.schedules());
    registry.setEnabled(NEW, false);
    assertEquals(OLD, scheduled(registry));
  }

  @Test // The deletion of a disabled definition ends a schedule that is paused
  void shouldTellTheDeletionOfTheLastDefinition() {
    deploy(OLD, EVERY);
    registry.setEnabled(OLD, false);
    Map<DefinitionName, ProcessGraph> none = registry.schedules();
    registry.delete(OLD);

    assertEquals(Map.of(), registry.schedules());
    assertNotSame(none, registry.schedules());
  }

  @Test
  void shouldTellEveryChange() {
    AtomicInteger told = new AtomicInteger();
    Runnable listener = told::incrementAndGet;
    registry.addScheduleListener(listener);
    deploy(OLD, EVERY);
    Map<DefinitionName, ProcessGraph> first = registry.schedules();
    assertEquals(1, told.get());
    deploy(NEW, EVERY);
    assertNotSame(first, registry.schedules());
    registry.setEnabled(NEW, false);
    registry.delete(NEW);
    assertEquals(4, told.get());
    registry.refresh();
    assertEquals(5, told.get(), "another replica may have changed something");

    registry.removeScheduleListener(listener);
    deploy(NEW, EVERY);
    assertEquals(5, told.get());
  }

  @Test
  void shouldKnowSchedulesFromTheBeginning() {
    deploy(OLD, EVERY);
    deploy(new DefinitionKey("test", "b", "1.0.0"), "\"\\x73chedule\": {every: PT1M}\n");
    deploy(new DefinitionKey("test", "c", "1.0.0"), "");
    registry.setEnabled(OLD, false);
    registry.setEnabled(OLD, true);
    DefinitionRegistry next =
        new DefinitionRegistry(
            EngineLimits.defaults().with(Map.of("start.compileAhead", 0)), store);

    assertEquals(OLD, scheduled(next));
    assertEquals(Set.of(NAME, new DefinitionName("test", "b")), next.schedules().keySet());
  }

  @Test
  void shouldLearnWhatAnotherReplicaHasDeployed(@TempDir Path directory) {
    DirectoryDefinitionStore files = new DirectoryDefinitionStore(directory);
    DefinitionRegistry first = new DefinitionRegistry(EngineLimits.defaults(), files);
    DefinitionRegistry second = new DefinitionRegistry(EngineLimits.defaults(), files);
    deploy(first, OLD, EVERY, false);
    assertEquals(Map.of(), second.schedules());
    second.refresh();
    assertEquals(OLD, scheduled(second));

    first.setEnabled(OLD, false);
    second.refreshStatus(OLD);
    assertEquals(Map.of(), second.schedules());
  }

  @Test
  void shouldRefuseRunsThatFollowEachOtherTooSoon() {
    DefinitionRegistry slow =
        new DefinitionRegistry(
            EngineLimits.defaults().with(Map.of("schedule.minIntervalMillis", 90_000)),
            new InMemoryDefinitionStore());
    for (boolean dryRun : new boolean[] {true, false}) {
      Deployment refused = deploy(slow, OLD, "schedule: {cron: '* * * * *'}\n", dryRun);
      assertEquals(
          "2:18 /schedule/cron: expected at least 90000 ms from one run to the next"
              + " (schedule.minIntervalMillis), found 60000",
          assertInstanceOf(Deployment.Invalid.class, refused).problems().getFirst().toString());
    }
    assertInstanceOf(
        Deployment.Invalid.class, deploy(slow, OLD, "schedule: {after: PT89.999S}\n", false));
    assertInstanceOf(
        Deployment.Created.class, deploy(slow, OLD, "schedule: {every: PT90S}\n", false));
  }

  @Test
  void shouldKeepAScheduleThatWasDeployedUnderOtherLimits() {
    deploy(OLD, "schedule: {every: PT0.01S}\n");
    DefinitionRegistry next =
        new DefinitionRegistry(
            EngineLimits.defaults()
                .with(Map.of("schedule.minIntervalMillis", 1_000, "schedule.maxSchedules", 0)),
            store);

    assertEquals(OLD, scheduled(next));
  }

  @Test
  void shouldRefuseMoreSchedulesThanTheLimit() {
    DefinitionRegistry one =
        new DefinitionRegistry(
            EngineLimits.defaults().with(Map.of("schedule.maxSchedules", 1)),
            new InMemoryDefinitionStore());
    DefinitionKey other = new DefinitionKey("test", "b", "1.0.0");
    assertInstanceOf(Deployment.Created.class, deploy(one, OLD, EVERY, false));
    assertInstanceOf(Deployment.Created.class, deploy(one, NEW, EVERY, false), "the same name");

    Deployment refused = deploy(one, other, EVERY, false);
    assertEquals(new Deployment.TooManyDefinitions("schedule.maxSchedules"), refused);
    assertInstanceOf(Deployment.Unchanged.class, deploy(one, NEW, EVERY, false), "again");
    assertInstanceOf(
        Deployment.Created.class, deploy(one, new DefinitionKey("test", "c", "1.0.0"), "", false));
    one.delete(OLD);
    one.delete(NEW);
    assertInstanceOf(Deployment.Created.class, deploy(one, other, EVERY, false));
    assertNotNull(one.schedules().get(new DefinitionName("test", "b")));
  }
}
