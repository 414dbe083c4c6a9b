package dev.pinion.core.definition;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.binding.BindingRules;
import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.binding.BindingTable;
import dev.pinion.core.binding.CallerRule;
import dev.pinion.core.binding.UnservedRule;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.ChainCatalog;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.DeployedDefinition;
import dev.pinion.core.model.Diagnostic;
import dev.pinion.core.model.call.Program;
import dev.pinion.core.spi.DefinitionCatalog.Deletion;
import dev.pinion.core.spi.DefinitionCatalog.Deployment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DefinitionRegistryTest {
  private static final String YAML = "application/yaml";
  private static final String JSON = "application/json";

  private final InMemoryDefinitionStore store = new InMemoryDefinitionStore();
  private final DefinitionRegistry registry =
      new DefinitionRegistry(EngineLimits.defaults(), store);

  private static String yaml(String name, String version, String task) {
    return """
    document: {dsl: 1.0.3, namespace: test, name: %s, version: %s}
    do:
      - %s:
          wait: PT1S
    """
        .formatted(name, version, task);
  }

  private static Deployment deploy(
      DefinitionRegistry registry,
      String source,
      @Nullable DefinitionKey expected,
      boolean dryRun) {
    return registry.deploy(source.getBytes(StandardCharsets.UTF_8), YAML, expected, dryRun);
  }

  private Deployment deploy(String source) {
    return deploy(registry, source, null, false);
  }

  @Test
  void shouldCreateThenRecogniseThenRefuseOtherContent() {
    String source = yaml("a", "1.0.0", "x");
    DefinitionKey key = new DefinitionKey("test", "a", "1.0.0");

    DeployedDefinition info =
        assertInstanceOf(Deployment.Created.class, deploy(source)).definition();
    Deployment again = deploy("# a comment changes nothing\n" + source);
    Deployment other = deploy(yaml("a", "1.0.0", "y"));

    assertEquals(key, info.key());
    assertEquals(source, info.source());
    assertEquals(info, registry.find(key));
    assertNotNull(registry.graph(key));
    assertEquals(info, assertInstanceOf(Deployment.Unchanged.class, again).definition());
    assertEquals(info, assertInstanceOf(Deployment.VersionConflict.class, other).existing());
    assertEquals(1, store.load().size());
  }

  @Test
  void shouldHashTheDocumentAsCompactJsonInDocumentOrder() {
    String json =
        "{\"document\":{\"dsl\":\"1.0.3\",\"namespace\":\"test\",\"name\":\"a\",\"version\":\"1.0.0\"},"
            + "\"do\":[{\"x\":{\"wait\":\"PT1S\"}}]}";
    deploy(yaml("a", "1.0.0", "x"));

    Deployment same = registry.deploy(json.getBytes(StandardCharsets.UTF_8), JSON, null, false);

    DeployedDefinition info = assertInstanceOf(Deployment.Unchanged.class, same).definition();
    assertEquals(json, info.document().toString());
    assertEquals(64, info.sha256().length());
  }

  @Test
  void shouldOnlyCheckWhenAskedTo() {
    String source = yaml("a", "1.0.0", "x");

    Deployment valid = deploy(registry, source, null, true);
    Deployment invalid = deploy(registry, "do: []", null, true);

    assertInstanceOf(Deployment.Valid.class, valid);
    assertFalse(assertInstanceOf(Deployment.Invalid.class, invalid).problems().isEmpty());
    assertEquals(List.of(), registry.list(null, null));
    deploy(source);
    assertInstanceOf(
        Deployment.VersionConflict.class, deploy(registry, yaml("a", "1.0.0", "y"), null, true));
  }

  @Test
  void shouldRefuseAnotherIdentityThanExpected() {
    DefinitionKey expected = new DefinitionKey("test", "b", "1.0.0");

    Deployment refused = deploy(registry, yaml("a", "1.0.0", "x"), expected, false);

    assertEquals(
        "expected the definition test/b/1.0.0, found test/a/1.0.0",
        assertInstanceOf(Deployment.Invalid.class, refused).problems().getFirst().message());
  }

  @Test
  void shouldRefuseBytesThatAreNoDocument() {
    byte[] latin1 = "a: \u00e9".getBytes(StandardCharsets.ISO_8859_1);
    Deployment notUtf8 = registry.deploy(latin1, YAML, null, false);
    DefinitionRegistry small =
        new DefinitionRegistry(
            EngineLimits.defaults().with(Map.of("definition.maxBytes", 1024)), store);
    Deployment large = small.deploy(new byte[1025], YAML, null, false);

    assertInstanceOf(Deployment.Invalid.class, notUtf8);
    assertTrue(
        assertInstanceOf(Deployment.Invalid.class, large)
            .problems()
            .getFirst()
            .message()
            .contains("definition.maxBytes"));
  }

  private static BindingSource serving(UnservedRule rule, String... services) {
    return new BindingSource() {
      @Override
      public BindingTable current() {
        return BindingTable.EMPTY;
      }

      @Override
      public BindingRules rules() {
        return new BindingRules(CallerRule.LABEL, "", rule);
      }

      @Override
      public SortedSet<String> served() {
        return new TreeSet<>(List.of(services));
      }
    };
  }

  private static String calling(String... endpoints) {
    StringBuilder tasks = new StringBuilder();
    for (int i = 0; i < endpoints.length; i++) {
      tasks.append(
          String.format(
              Locale.ROOT,
              "  - c%d: {call: http, with: {method: get, endpoint: '%s'}}\n",
              i,
              endpoints[i]));
    }
    return "document: {dsl: 1.0.3, namespace: test, name: calls, version: 1.0.0}\ndo:\n" + tasks;
  }

  @Test
  void shouldRefuseWhatNothingServesWhereThatIsTheRule() {
    EngineLimits limits = EngineLimits.defaults();
    String source = calling("svc://hotels/x", "svc://flight/{a}", "http://localhost", "svc://{b}/");
    DefinitionRegistry strict =
        new DefinitionRegistry(
            limits, store, ChainCatalog.UNKNOWN, serving(UnservedRule.REFUSE, "flights", "hotels"));

    List<Diagnostic> problems =
        assertInstanceOf(Deployment.Invalid.class, deploy(strict, source, null, false)).problems();
    Diagnostic only = problems.getFirst();
    assertEquals(1, problems.size(), problems::toString);
    assertEquals("/do/1/c1/with/endpoint", only.pointer());
    assertEquals(4, only.line());
    assertEquals("flights", only.suggestion());
    assertTrue(only.message().contains("svc://flight\""), only.message());
    assertTrue(only.message().contains("served are flights, hotels"), only.message());
    assertNull(strict.latest("test", "calls"));

    String served = source.replace("svc://flight/", "svc://flights/");
    assertInstanceOf(Deployment.Created.class, deploy(strict, served, null, false));
    DefinitionRegistry later =
        new DefinitionRegistry(limits, store, ChainCatalog.UNKNOWN, serving(UnservedRule.REFUSE));
    assertNotNull(later.latest("test", "calls"), "what stands is loaded whatever is served now");
  }

  @Test
  void shouldRefuseProgramsThatAreNotAllowedWhenTheyAreDeployed() {
    String source =
        """
        document: {dsl: 1.0.3, namespace: test, name: run, version: 1.0.0}
        do:
          - a: {run: {shell: {command: ls}}}
          - b: {run: {script: {language: js, code: x}}}
        """;
    DefinitionRegistry scripts = allowing(Set.of(Program.Kind.JAVASCRIPT));

    assertEquals(
        List.of(
            "3:32 /do/0/a/run/shell/command: expected an engine that allows shell programs (setting"
                + " programs), found javascript allowed"),
        assertInstanceOf(Deployment.Invalid.class, deploy(scripts, source, null, false))
            .problems()
            .stream()
            .map(Object::toString)
            .toList());
    assertEquals(
        2,
        assertInstanceOf(Deployment.Invalid.class, deploy(allowing(Set.of()), source, null, true))
            .problems()
            .size());
    assertInstanceOf(Deployment.Created.class, deploy(registry(), source, null, false));
    assertNotNull(allowing(Set.of()).latest("test", "run"), "what stands is loaded");
  }

  private DefinitionRegistry allowing(Set<Program.Kind> programs) {
    return new DefinitionRegistry(
        EngineLimits.defaults(),
        store,
        ChainCatalog.UNKNOWN,
        BindingSource.NONE,
        DefinitionResources.DEFAULT.withPrograms(programs),
        Clock.system());
  }

  @Test
  void shouldWarnOfWhatNothingServes() {
    DefinitionRegistry warning =
        new DefinitionRegistry(
            EngineLimits.defaults(), store, ChainCatalog.UNKNOWN, serving(UnservedRule.WARN));
    String source = calling("svc://flights/x");

    assertEquals(
        1,
        assertInstanceOf(Deployment.Valid.class, deploy(warning, source, null, true))
            .warnings()
            .size());
    assertEquals(
        1,
        assertInstanceOf(Deployment.Created.class, deploy(warning, source, null, false))
            .warnings()
            .size());
    assertEquals(
        1,
        assertInstanceOf(Deployment.Unchanged.class, deploy(warning, source, null, false))
            .warnings()
            .size());
    assertEquals(
        List.of(),
        assertInstanceOf(Deployment.Unchanged.class, deploy(registry(), source, null, false))
            .warnings(),
        "where nobody knows what is served");
  }

  private DefinitionRegistry registry() {
    return new DefinitionRegistry(EngineLimits.defaults(), store);
  }

  @Test
  void shouldRefuseToRestoreADefinitionWhoseChainOfHandlersIsGone() {
    EngineLimits limits = EngineLimits.defaults();
    String named =
        yaml("a", "1.0.0", "x")
            .replace(
                "version: 1.0.0",
                "version: 1.0.0, metadata: {pinion: {handlers: {request-in: keys}}}");
    assertTrue(named.contains("handlers"), named);
    DefinitionRegistry with =
        new DefinitionRegistry(limits, store, () -> Map.of("keys", "request-in"));
    assertInstanceOf(Deployment.Created.class, deploy(with, named, null, false));
    assertEquals(
        "keys", Objects.requireNonNull(with.latest("test", "a")).chains().at("request-in"));
    new DefinitionRegistry(limits, store, () -> Map.of("keys", ""));
    new DefinitionRegistry(limits, store); // this registry knows no chains

    for (Map<String, String> others :
        List.of(Map.<String, String>of(), Map.of("keys", "after-call"))) {
      String refusal =
          String.valueOf(
              assertThrows(
                      IllegalStateException.class,
                      () -> new DefinitionRegistry(limits, store, () -> others))
                  .getMessage());
      assertTrue(refusal.contains("found \"keys\""), refusal);
      assertTrue(refusal.contains("test/a/1.0.0"), refusal);
    }
  }

  @Test
  void shouldHoldDefinitionsToTheirLimit() {
    DefinitionRegistry small =
        new DefinitionRegistry(
            EngineLimits.defaults().with(Map.of("definition.maxDefinitions", 2)), store);
    deploy(small, yaml("a", "1.0.0", "x"), null, false);
    deploy(small, yaml("b", "1.0.0", "x"), null, false);

    Deployment third = deploy(small, yaml("c", "1.0.0", "x"), null, false);
    Deployment again = deploy(small, yaml("b", "1.0.0", "x"), null, false);

    assertEquals(new Deployment.TooManyDefinitions("definition.maxDefinitions"), third);
    assertInstanceOf(Deployment.Unchanged.class, again);
  }

  @Test
  void shouldFindTheLatestVersionAndListInOrder() {
    for (String version : List.of("1.10.0", "1.9.0", "2.0.0-rc.1", "1.2.0")) {
      deploy(yaml("b", version, "x"));
    }
    deploy(yaml("a", "0.1.0", "x"));

    DeployedDefinition latest = Objects.requireNonNull(registry.latest("test", "b"));

    assertEquals("2.0.0-rc.1", latest.key().version());
    assertEquals(
        List.of("a 0.1.0", "b 1.2.0", "b 1.9.0", "b 1.10.0", "b 2.0.0-rc.1"),
        registry.list("test", null).stream()
            .map(info -> info.key().name() + " " + info.key().version())
            .toList());
    assertEquals(4, registry.list(null, "b").size());
    assertEquals(List.of(), registry.list("other", null));
    assertNull(registry.latest("test", "c"));
    assertNull(registry.find(new DefinitionKey("test", "b", "3.0.0")));
    assertNull(registry.graph(new DefinitionKey("test", "b", "3.0.0")));
  }

  @Test
  void shouldSaveBeforeInstalling() {
    DefinitionStore broken =
        new ForwardingDefinitionStore(store) {
          @Override
          public @Nullable StoredDefinition save(StoredDefinition definition) {
            throw new UncheckedIOException(new IOException("disk full"));
          }
        };
    DefinitionRegistry unlucky = new DefinitionRegistry(EngineLimits.defaults(), broken);

    assertThrows(
        UncheckedIOException.class, () -> deploy(unlucky, yaml("a", "1.0.0", "x"), null, false));
    assertEquals(List.of(), unlucky.list(null, null));
  }

  /** Field fault 19. */
  @Test
  void shouldNotMakeADataFolderThatIsGone(@TempDir Path directory) {
    Path data = directory.resolve("data");
    DirectoryDefinitionStore files = new DirectoryDefinitionStore(data.resolve("definitions"));

    assertThrows(UncheckedIOException.class, files::load);

    assertFalse(Files.exists(data));
  }

  /** Field fault 29: what is deleted is kept for instances that were started before. */
  @Test
  void shouldDeleteAndKeepWhatInstancesRun(@TempDir Path directory) throws IOException {
    DefinitionKey key = new DefinitionKey("test", "a", "1.0.0");
    DirectoryDefinitionStore files = new DirectoryDefinitionStore(directory.resolve("d"));
    DefinitionRegistry first = new DefinitionRegistry(EngineLimits.defaults(), files);
    deploy(first, yaml("a", "1.0.0", "x"), null, false);
    ProcessGraph before = first.graph(key);
    assertNotNull(before);

    assertEquals(Deletion.DELETED, first.delete(key));
    assertEquals(Deletion.UNKNOWN, first.delete(key));
    assertNull(first.graph(key));
    assertNull(first.find(key));
    assertNull(first.latest("test", "a"));
    assertEquals(List.of(), first.list(null, null));
    assertEquals(before, first.graph(key, before.fingerprint()));
    assertEquals(List.of(), files.problems());

    deploy(first, yaml("a", "1.0.0", "y"), null, false);
    for (DefinitionRegistry each :
        List.of(first, new DefinitionRegistry(EngineLimits.defaults(), files))) {
      ProcessGraph now = each.graph(key);
      ProcessGraph held = each.graph(key, before.fingerprint());
      assertNotNull(now);
      assertNotNull(held);
      assertNotEquals(before.fingerprint(), now.fingerprint());
      assertEquals(now, each.graph(key, now.fingerprint()));
      assertEquals(before.fingerprint(), held.fingerprint());
    }
  }

  /** Field fault 10. */
  @Test
  void shouldSayThatItDoesNotKnowAllYet() {
    DefinitionRegistry registry = new DefinitionRegistry(EngineLimits.defaults(), store);
    assertTrue(registry.isComplete());
    registry.markStale();
    assertFalse(registry.isComplete());
    registry.refresh();
    assertTrue(registry.isComplete());
  }

  @Test
  void shouldForgetWhatAnotherReplicaDeletes(@TempDir Path directory) {
    DefinitionKey key = new DefinitionKey("test", "a", "1.0.0");
    DirectoryDefinitionStore files = new DirectoryDefinitionStore(directory);
    DefinitionRegistry first = new DefinitionRegistry(EngineLimits.defaults(), files);
    deploy(first, yaml("a", "1.0.0", "x"), null, false);
    DefinitionRegistry second = new DefinitionRegistry(EngineLimits.defaults(), files);
    ProcessGraph graph = second.graph(key);
    assertNotNull(graph);

    first.delete(key);
    second.refresh();
    assertNull(second.graph(key));
    ProcessGraph held = second.graph(key, graph.fingerprint());
    assertNotNull(held);
    assertEquals(graph.fingerprint(), held.fingerprint());
  }

  /** Field fault 29: there is no moment at which an instance does not find what it runs. */
  @Test
  void shouldKnowWhatWasDeletedBeforeItForgetsTheDefinition() {
    DefinitionKey key = new DefinitionKey("test", "a", "1.0.0");
    AtomicReference<Runnable> look = new AtomicReference<>(() -> {});
    DefinitionStore looking =
        new ForwardingDefinitionStore(store) {
          @Override
          public List<DeletedDefinition> deleted() {
            look.get().run();
            return super.deleted();
          }
        };
    deploy(yaml("a", "1.0.0", "x"));
    DefinitionRegistry other = new DefinitionRegistry(EngineLimits.defaults(), looking);
    ProcessGraph graph = other.graph(key);
    assertNotNull(graph);
    registry.delete(key);
    List<@Nullable ProcessGraph> found = new ArrayList<>();
    look.set(() -> found.add(other.graph(key, graph.fingerprint())));

    other.refresh();

    assertEquals(List.of(graph), found);
    assertNotNull(other.graph(key, graph.fingerprint()));
    assertNull(other.graph(key));
  }

  /** Field fault 29: a text that was put there by hand is not deleted in the place of another. */
  @Test
  void shouldNotDeleteATextThatIsNotTheOneInForce(@TempDir Path directory) throws IOException {
    DefinitionKey key = new DefinitionKey("test", "a", "1.0.0");
    DirectoryDefinitionStore files = new DirectoryDefinitionStore(directory);
    DefinitionRegistry registry = new DefinitionRegistry(EngineLimits.defaults(), files);
    deploy(registry, yaml("a", "1.0.0", "x"), null, false);
    Path file = directory.resolve("test/a/1.0.0.yaml");
    String before = Files.readString(file);
    String byHand = yaml("a", "1.0.0", "y");
    Files.writeString(file, byHand);
    Files.delete(sum(file));

    assertEquals(Deletion.CHANGED, registry.delete(key));
    assertEquals(byHand, Files.readString(file));
    assertNotNull(registry.graph(key));
    assertEquals(List.of(), files.deleted());

    Files.writeString(file, before);
    assertEquals(Deletion.DELETED, registry.delete(key));
    assertEquals(1, files.deleted().size());
  }

  /** Field fault 29: reading the deleted definitions does not meet a file that is being renamed. */
  @Test
  void shouldReadWhatWasDeletedInItsTurn(@TempDir Path directory) throws Exception {
    DirectoryDefinitionStore files = new DirectoryDefinitionStore(directory);
    assertEquals(List.of(), files.load());
    AtomicReference<List<DeletedDefinition>> read = new AtomicReference<>();
    Thread reader = Thread.ofPlatform().unstarted(() -> read.set(files.deleted()));
    try (DirectoryLock _ = DirectoryLock.take(directory)) {
      reader.start();
      await().until(() -> !reader.isAlive() || reader.getState() == Thread.State.WAITING);
      assertNull(read.get(), "waits for its turn");
    }
    reader.join();
    assertEquals(List.of(), read.get());
    assertEquals(List.of(), new DirectoryDefinitionStore(directory.resolve("none")).deleted());
  }

  @Test
  void shouldKeepNoMoreDeletedDefinitionsThanDeployedOnes() {
    DefinitionRegistry small =
        new DefinitionRegistry(
            EngineLimits.defaults().with(Map.of("definition.maxDefinitions", 1)), store);
    deploy(small, yaml("a", "1.0.0", "x"), null, false);
    assertEquals(Deletion.DELETED, small.delete(new DefinitionKey("test", "a", "1.0.0")));
    deploy(small, yaml("b", "1.0.0", "x"), null, false);
    assertEquals(Deletion.FULL, small.delete(new DefinitionKey("test", "b", "1.0.0")));
  }

  @Test
  void shouldSurviveARestart(@TempDir Path directory) throws IOException {
    Path definitions = directory.resolve("definitions");
    DefinitionRegistry before = open(definitions);
    deploy(before, yaml("a", "1.0.0", "x"), null, false);
    deploy(before, yaml("a", "1.0.0-rc.1+b", "x"), null, false);
    String json =
        before.list(null, null).getFirst().document().toString().replace("1.0.0-rc.1+b", "2.0.0");
    before.deploy(json.getBytes(StandardCharsets.UTF_8), JSON, null, false);
    Files.writeString(definitions.resolve("test/a/.unfinished-9.9.9"), "docu");

    DefinitionRegistry after = open(definitions);

    assertEquals(before.list(null, null), after.list(null, null));
    assertEquals(3, after.list(null, null).size());
    try (Stream<Path> files = Files.list(definitions.resolve("test/a"))) {
      assertEquals(
          List.of("1.0.0-rc.1+b.yaml", "1.0.0.yaml", "2.0.0.json"),
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> !name.endsWith(".sha256"))
              .sorted()
              .toList());
    }
  }

  @Test
  void shouldRefuseToStartOnADamagedFileAndNameIt(@TempDir Path directory) throws IOException {
    deploy(open(directory), yaml("a", "1.0.0", "x"), null, false);
    Path file = directory.resolve("test/a/1.0.0.yaml");
    Files.delete(sum(file)); // otherwise the checksum would be refused

    Files.writeString(file, "document: [");
    assertTrue(failure(directory).contains(file.toString()));

    Files.writeString(file, yaml("a", "1.0.1", "x"));
    String message = failure(directory);
    assertTrue(message.contains(file.toString()), message);
    assertTrue(message.contains("found test/a/1.0.1"), message);

    Files.writeString(file, yaml("a", "1.0.0", "x"));
    Path stray = Files.writeString(directory.resolve("test/notes.txt"), "?");
    UncheckedIOException refused = assertThrows(UncheckedIOException.class, () -> open(directory));
    assertTrue(String.valueOf(refused.getMessage()).contains(stray.toString()));
  }

  @Test
  void shouldNoticeADefinitionThatIsNotAsItWasDeployed(@TempDir Path directory) throws IOException {
    deploy(open(directory), yaml("a", "1.0.0", "x"), null, false);
    DirectoryDefinitionStore store = new DirectoryDefinitionStore(directory);
    Path file = directory.resolve("test/a/1.0.0.yaml");
    String text = Files.readString(file);
    assertEquals(List.of(), store.problems());

    Files.writeString(file, yaml("a", "1.0.0", "y")); // valid, but different
    checkRefused(directory, file);
    Files.delete(file);
    checkRefused(directory, file);
    Files.write(file, new byte[] {(byte) 0xff});
    checkRefused(directory, file);
    Files.delete(sum(file));
    checkRefused(directory, file);

    Files.writeString(file, text);
    assertEquals(1, open(directory).list(null, null).size(), "put there by hand");
    assertEquals(List.of(), store.problems());
  }

  private static void checkRefused(Path directory, Path file) throws IOException {
    UncheckedIOException refused = assertThrows(UncheckedIOException.class, () -> open(directory));
    assertTrue(String.valueOf(refused.getMessage()).contains(file.toString()), refused::toString);
    List<String> problems = new DirectoryDefinitionStore(directory).problems();
    assertEquals(1, problems.size(), problems::toString);
    assertTrue(problems.getFirst().contains(file.toString()), problems::toString);
  }

  // Field fault 19
  @Test
  void shouldNotMakeAFolderThatIsGone(@TempDir Path data) throws IOException {
    Path directory = data.resolve("definitions");
    DefinitionRegistry loaded = open(directory);
    Files.delete(directory.resolve(".lock"));
    Files.delete(directory);

    UncheckedIOException refused =
        assertThrows(
            UncheckedIOException.class, () -> deploy(loaded, yaml("a", "1.0.0", "x"), null, false));

    assertTrue(String.valueOf(refused.getMessage()).contains("is its volume mounted?"));
    assertFalse(Files.exists(directory));
  }

  @Test
  void shouldForgetADefinitionWhoseSaveWasNotFinished(@TempDir Path directory) throws IOException {
    deploy(open(directory), yaml("a", "1.0.0", "x"), null, false);
    Path file = directory.resolve("test/a/1.0.0.yaml");
    Files.move(file, file.resolveSibling(".unfinished-1.0.0")); // killed before it was renamed
    assertEquals(List.of(), new DirectoryDefinitionStore(directory).problems());

    assertEquals(List.of(), open(directory).list(null, null));
    assertFalse(Files.exists(sum(file)));
    deploy(open(directory), yaml("a", "1.0.0", "y"), null, false);
    assertEquals(1, open(directory).list(null, null).size());
  }

  private static Path sum(Path definition) {
    return definition.resolveSibling(definition.getFileName() + ".sha256");
  }

  @Test
  void shouldRefuseToStartOnTwoFilesOfOneDefinition(@TempDir Path directory) throws IOException {
    deploy(open(directory), yaml("a", "1.0.0", "x"), null, false);
    String json = open(directory).list(null, null).getFirst().document().toString();
    Files.writeString(directory.resolve("test/a/1.0.0.json"), json);

    assertTrue(failure(directory).contains("expected each definition once"));
  }

  @Test
  void shouldCompileAheadAsManyAsItIsToldTo() {
    deploy(yaml("a", "1.0.0", "x"));
    DefinitionKey broken = new DefinitionKey("test", "b", "1.0.0");
    store.save(new StoredDefinition(broken, YAML, "document: {}"));

    IllegalStateException refused =
        assertThrows(IllegalStateException.class, () -> registry(2), "the second one as well");
    assertTrue(String.valueOf(refused.getMessage()).contains("test/b/1.0.0"), refused::toString);
    for (int ahead : new int[] {0, 1}) {
      DefinitionRegistry later = registry(ahead);
      assertNull(later.find(broken));
      assertNull(later.graph(broken));
      assertNull(later.latest("test", "b"));
      assertEquals(registry.list(null, null), later.list(null, null));
    }
  }

  @Test
  void shouldCompileOnceWhatItLeftToTheFirstUse() {
    String source = yaml("a", "1.0.0", "x");
    DefinitionKey key = new DefinitionKey("test", "a", "1.0.0");
    deploy(source);
    DefinitionRegistry later = registry(0);

    ProcessGraph graph = later.graph(key);

    assertNotNull(graph);
    later.refresh();
    assertSame(graph, later.graph(key), "not compiled again");
    assertEquals(registry.find(key), later.find(key));
    assertEquals(registry.latest("test", "a"), later.latest("test", "a"));
    assertEquals(registry.list("test", "a"), later.list("test", "a"));
    assertEquals(List.of(), later.list("test", "b"));
    assertInstanceOf(Deployment.Unchanged.class, deploy(later, source, null, false));
    assertInstanceOf(
        Deployment.VersionConflict.class,
        deploy(registry(0), yaml("a", "1.0.0", "y"), null, false));
  }

  @Test
  void shouldTryAgainWithOtherChainsWhatItLeftToTheFirstUse() {
    String named =
        yaml("a", "1.0.0", "x")
            .replace(
                "version: 1.0.0",
                "version: 1.0.0, metadata: {pinion: {handlers: {request-in: keys}}}");
    DefinitionKey key = new DefinitionKey("test", "a", "1.0.0");
    store.save(new StoredDefinition(key, YAML, named));
    AtomicInteger looks = new AtomicInteger();
    AtomicReference<Map<String, String>> inForce = new AtomicReference<>(Map.of());
    ChainCatalog chains =
        () -> {
          looks.incrementAndGet();
          return inForce.get();
        };
    EngineLimits limits = EngineLimits.defaults().with(Map.of("start.compileAhead", 0));
    DefinitionRegistry later = new DefinitionRegistry(limits, store, chains);

    assertNull(later.find(key), "no chains");
    int tried = looks.get();
    assertNull(later.graph(key));
    assertEquals(tried + 1, looks.get(), "not compiled again: its chain is not looked for");

    inForce.set(Map.of("others", "request-in"));
    assertNull(later.latest("test", "a"), "other chains");
    assertEquals(List.of(), later.list("test", "a"));

    inForce.set(Map.of("keys", "request-in"));
    DeployedDefinition found = Objects.requireNonNull(later.find(key));
    assertEquals("keys", found.chains().at("request-in"));
    ProcessGraph graph = Objects.requireNonNull(later.graph(key));
    assertEquals(found, later.latest("test", "a"));
    assertEquals(List.of(found), later.list("test", "a"));

    inForce.set(Map.of());
    later.refresh();
    assertSame(graph, later.graph(key), "what was compiled stays");
  }

  @Test
  void shouldCompileOnAnotherThreadWhatIsAskedForBefore() {
    deploy(yaml("a", "1.0.0", "x"));
    DefinitionKey broken = new DefinitionKey("test", "b", "1.0.0");
    store.save(new StoredDefinition(broken, YAML, "document: {}"));
    DefinitionRegistry later = registry(0);
    assertTrue(later.isPrepared("test", "a", null), "compiled by whoever needs it");
    List<Runnable> work = new ArrayList<>();
    later.prepareOn(work::add);

    assertFalse(later.isPrepared("test", "a", null));
    assertFalse(later.isPrepared("test", "a", "1.0.0"));
    assertEquals(1, work.size(), "once");
    assertTrue(later.isPrepared("test", "c", null), "unknown");
    work.removeFirst().run();
    assertTrue(later.isPrepared("test", "a", null));
    assertNotNull(later.latestGraph("test", "a"));

    assertFalse(later.isPrepared("test", "b", null));
    work.removeFirst().run();
    assertTrue(later.isPrepared("test", "b", null), "found not to compile");
    assertNull(later.latestGraph("test", "b"));
  }

  @Test
  void shouldLeaveTheCompilationToTheUserWhenTheOtherThreadIsBusy() {
    deploy(yaml("a", "1.0.0", "x"));
    DefinitionRegistry later = registry(0);
    later.prepareOn(
        work -> {
          throw new RejectedExecutionException("full");
        });

    assertTrue(later.isPrepared("test", "a", null));
    List<Runnable> work = new ArrayList<>();
    later.prepareOn(work::add);
    assertFalse(later.isPrepared("test", "a", null));
    assertEquals(1, work.size());
  }

  private DefinitionRegistry registry(int compileAhead) {
    return new DefinitionRegistry(
        EngineLimits.defaults().with(Map.of("start.compileAhead", compileAhead)), store);
  }

  private static DefinitionRegistry open(Path directory) {
    return new DefinitionRegistry(EngineLimits.defaults(), new DirectoryDefinitionStore(directory));
  }

  private static String failure(Path directory) {
    IllegalStateException refused =
        assertThrows(IllegalStateException.class, () -> open(directory));
    return String.valueOf(refused.getMessage());
  }
}
