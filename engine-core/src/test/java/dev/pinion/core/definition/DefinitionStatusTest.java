package dev.pinion.core.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.ChainCatalog;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.DeployedDefinition;
import dev.pinion.core.spi.DefinitionCatalog.Deletion;
import dev.pinion.core.spi.DefinitionCatalog.Deployment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Disabled and enabled definitions, and since when they are deployed. */
class DefinitionStatusTest {
  private static final DefinitionKey OLD = new DefinitionKey("test", "a", "1.0.0");
  private static final DefinitionKey NEW = new DefinitionKey("test", "a", "2.0.0");

  @TempDir private Path directory;
  private long nowMillis = 1_000;
  private DirectoryDefinitionStore store = new DirectoryDefinitionStore(Path.of("unset"));
  private DefinitionRegistry registry =
      new DefinitionRegistry(EngineLimits.defaults(), new InMemoryDefinitionStore());

  @BeforeEach
  void deploy() {
    store = new DirectoryDefinitionStore(directory);
    registry = replica();
    deploy(registry, OLD);
    nowMillis = 2_000;
    deploy(registry, NEW);
  }

  /** A registry on the same store, as another replica has it, or the next process. */
  private DefinitionRegistry replica() {
    Clock clock =
        new Clock() {
          @Override
          public long nanoTime() {
            return 0;
          }

          @Override
          public long epochMillis() {
            return nowMillis;
          }

          @Override
          public String scale() {
            return "test";
          }
        };
    return new DefinitionRegistry(
        EngineLimits.defaults(),
        store,
        ChainCatalog.UNKNOWN,
        BindingSource.NONE,
        DefinitionResources.DEFAULT,
        clock);
  }

  private static Deployment deploy(DefinitionRegistry registry, DefinitionKey key) {
    String source =
        "document: {dsl: 1.0.3, namespace: test, name: %s, version: %s}\ndo:\n  - x: {wait: PT1S}\n"
            .formatted(key.name(), key.version());
    return registry.deploy(
        source.getBytes(StandardCharsets.UTF_8), "application/yaml", null, false);
  }

  private static @Nullable DefinitionKey latest(DefinitionRegistry registry) {
    DeployedDefinition latest = registry.latest("test", "a");
    return latest == null ? null : latest.key();
  }

  private static boolean enabled(DefinitionRegistry registry, DefinitionKey key) {
    boolean shown = Objects.requireNonNull(registry.find(key)).status().enabled();
    assertEquals(shown, registry.isEnabled(key));
    return shown;
  }

  @Test
  void shouldPassOverDisabledVersions() {
    assertEquals(NEW, latest(registry));

    assertFalse(Objects.requireNonNull(registry.setEnabled(NEW, false)).status().enabled());
    assertEquals(OLD, latest(registry));
    assertFalse(enabled(registry, NEW));
    assertNotNull(registry.graph(NEW), "instances continue");

    registry.setEnabled(OLD, false);
    assertEquals(NEW, latest(registry), "the newest when none is enabled");
    registry.setEnabled(OLD, true);
    assertEquals(OLD, latest(registry));
    registry.setEnabled(NEW, true);
    assertEquals(NEW, latest(registry));
  }

  @Test
  void shouldKeepItsStatusOverARestart() {
    registry.setEnabled(NEW, false);

    DefinitionRegistry next = replica();

    assertFalse(enabled(next, NEW));
    assertTrue(enabled(next, OLD));
    assertEquals(OLD, latest(next));
    assertEquals(List.of(), problems());
    next.setEnabled(NEW, true);
    assertTrue(enabled(replica(), NEW));
  }

  @Test
  void shouldDoTheSameTwice() {
    registry.setEnabled(NEW, true);
    assertTrue(enabled(registry, NEW));
    registry.setEnabled(NEW, false);
    registry.setEnabled(NEW, false);
    assertFalse(enabled(registry, NEW));
  }

  @Test
  void shouldLearnWhatAnotherReplicaChanged() {
    DefinitionRegistry other = replica();
    registry.setEnabled(NEW, false);
    assertTrue(enabled(other, NEW));

    other.refreshStatus(NEW);

    assertFalse(enabled(other, NEW));
    registry.setEnabled(NEW, true);
    other.refresh();
    assertTrue(enabled(other, NEW));
  }

  /** Two replicas change it at once: whoever reads last finds what is stored. */
  @Test
  void shouldAgreeWithTheStoreInAnyOrder() {
    DefinitionRegistry other = replica();
    registry.setEnabled(NEW, false);
    other.setEnabled(NEW, true);

    registry.refreshStatus(NEW);
    other.refreshStatus(NEW);

    assertTrue(enabled(registry, NEW));
    assertTrue(enabled(other, NEW));
  }

  @Test
  void shouldReadTheStatusOfWhatAnotherReplicaDeployed() {
    DefinitionRegistry other = replica();
    DefinitionKey third = new DefinitionKey("test", "a", "3.0.0");
    deploy(registry, third);
    registry.setEnabled(third, false);

    other.refreshStatus(third);
    assertNull(other.find(third));
    Deployment found = deploy(other, third);

    assertFalse(
        assertInstanceOf(Deployment.Unchanged.class, found).definition().status().enabled());
    assertFalse(enabled(other, third));
  }

  @Test
  void shouldEnableWhatIsDeployedAgain() {
    registry.setEnabled(NEW, false);
    assertEquals(Deletion.DELETED, registry.delete(NEW));
    assertTrue(registry.isEnabled(NEW), "not known");

    deploy(registry, NEW);

    assertTrue(enabled(registry, NEW));
    assertTrue(enabled(replica(), NEW));
  }

  /** A crash between the deletion of a definition and that of its mark. */
  @Test
  void shouldIgnoreAMarkThatOutlivedItsDefinition() throws IOException {
    registry.delete(NEW);
    Path mark = directory.resolve(".disabled/test/a/2.0.0");
    Files.createDirectories(Objects.requireNonNull(mark.getParent()));
    Files.writeString(mark, "");

    DefinitionRegistry next = replica();
    deploy(next, NEW);

    assertTrue(enabled(next, NEW));
    assertFalse(Files.exists(mark));
  }

  @Test
  void shouldKnowNothingOfWhatIsNotDeployed() {
    DefinitionKey none = new DefinitionKey("test", "none", "1.0.0");
    assertNull(registry.setEnabled(none, false));

    DefinitionRegistry other = replica();
    registry.delete(NEW);
    assertNull(other.setEnabled(NEW, false), "another replica has deleted it");
    assertTrue(store.isEnabled(NEW));
  }

  @Test
  void shouldChangeNothingWhenTheStoreFails() {
    DefinitionStore failing =
        new ForwardingDefinitionStore(store) {
          @Override
          public boolean setEnabled(DefinitionKey key, boolean enabled) {
            throw new UncheckedIOException(new IOException("disk full"));
          }
        };
    DefinitionRegistry unlucky = new DefinitionRegistry(EngineLimits.defaults(), failing);

    assertThrows(UncheckedIOException.class, () -> unlucky.setEnabled(NEW, false));

    assertTrue(enabled(unlucky, NEW));
  }

  @Test
  void shouldKeepTheStatusOfWhatIsCompiledLater() {
    registry.setEnabled(NEW, false);

    DefinitionRegistry lazy =
        new DefinitionRegistry(
            EngineLimits.defaults().with(Map.of("start.compileAhead", 0)), store);

    assertFalse(lazy.isEnabled(NEW));
    assertFalse(enabled(lazy, NEW));
    assertEquals(OLD, latest(lazy));
  }

  @Test
  void shouldKnowSinceWhenItIsDeployed() throws IOException {
    assertEquals(List.of(1_000L, 2_000L), times(registry));
    assertEquals(List.of(1_000L, 2_000L), times(replica()));
    registry.setEnabled(NEW, false);
    nowMillis = 3_000;
    deploy(registry, NEW);
    assertEquals(List.of(1_000L, 2_000L), times(registry));

    Path byHand = directory.resolve("test/a/1.5.0.yaml");
    Files.writeString(
        byHand,
        Files.readString(directory.resolve("test/a/1.0.0.yaml")).replace("1.0.0}", "1.5.0}"));
    long since = Files.getLastModifiedTime(byHand).toMillis();
    assertEquals(List.of(1_000L, since, 2_000L), times(replica()));
  }

  private static List<Long> times(DefinitionRegistry registry) {
    return registry.list("test", "a").stream()
        .map(info -> info.status().deployedAtMillis())
        .toList();
  }

  private List<String> problems() {
    try {
      return store.problems();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
