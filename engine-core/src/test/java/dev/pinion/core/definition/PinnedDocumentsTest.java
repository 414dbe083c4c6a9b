package dev.pinion.core.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.language.reference.DocumentSource;
import dev.pinion.core.language.reference.TextDocuments;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.ChainCatalog;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.DeployedDefinition;
import dev.pinion.core.model.PinnedDocument;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Documents that are kept with the definitions that refer to them. */
class PinnedDocumentsTest {
  private static final String URI = "https://a.test/f.yaml";
  private static final DefinitionKey KEY = new DefinitionKey("test", "refers", "1.0.0");
  private static final String YAML =
      """
      document: {dsl: 1.0.3, namespace: test, name: refers, version: 1.0.0}
      do:
        - a: {call: '%s'}
      """
          .formatted(URI);

  private final TextDocuments documents = new TextDocuments(Map.of(URI, "set: {x: 1}"));
  private @TempDir Path folder;

  private DefinitionRegistry registry(DocumentSource source) {
    return new DefinitionRegistry(
        EngineLimits.defaults(),
        new DirectoryDefinitionStore(folder),
        ChainCatalog.UNKNOWN,
        BindingSource.NONE,
        DefinitionResources.DEFAULT.withDocuments(() -> source),
        Clock.system());
  }

  private static Deployment deploy(DefinitionRegistry registry, String yaml, boolean dryRun) {
    return registry.deploy(yaml.getBytes(StandardCharsets.UTF_8), "application/yaml", null, dryRun);
  }

  private static PinnedDocument kept(DefinitionRegistry registry) {
    List<PinnedDocument> kept = Objects.requireNonNull(registry.find(KEY)).text().documents();
    assertEquals(1, kept.size());
    return kept.getFirst();
  }

  private Path file(String suffix) {
    return folder.resolve("test/refers/1.0.0.yaml" + suffix);
  }

  @Test
  void shouldNeverFetchAgainAfterARestart() {
    DefinitionRegistry first = registry(documents);
    DeployedDefinition created =
        assertInstanceOf(Deployment.Created.class, deploy(first, YAML, false)).definition();
    assertEquals(
        List.of(PinnedDocument.of(URI, "application/yaml", "set: {x: 1}")),
        created.text().documents());
    long fingerprint = Objects.requireNonNull(first.graph(KEY)).fingerprint();

    DefinitionRegistry second = registry(DocumentSource.none());
    assertEquals(created.text().documents(), List.of(kept(second)));
    assertEquals(fingerprint, Objects.requireNonNull(second.graph(KEY)).fingerprint());
    assertEquals(List.of(URI), documents.asked());
  }

  @Test
  void shouldKeepTheContentOfADefinitionThatIsDeployedAgain() {
    DefinitionRegistry registry = registry(documents);
    deploy(registry, YAML, false);
    documents.put(URI, "set: {x: 2}");

    assertInstanceOf(Deployment.Unchanged.class, deploy(registry, "# again\n" + YAML, false));
    assertEquals("set: {x: 1}", kept(registry).text());
    assertEquals(List.of(URI), documents.asked());
  }

  @Test
  void shouldTakeTheContentThatAnotherReplicaHasStored() {
    DefinitionRegistry other = registry(documents);
    TextDocuments later = new TextDocuments(Map.of(URI, "set: {x: 2}"));
    DefinitionRegistry own = registry(later);
    deploy(other, YAML, false);

    assertInstanceOf(Deployment.Unchanged.class, deploy(own, YAML, false));
    assertEquals("set: {x: 1}", kept(own).text());
    assertEquals(List.of(), later.asked());
  }

  @Test
  void shouldFetchForANewVersionAndForADryRun() {
    DefinitionRegistry registry = registry(documents);
    deploy(registry, YAML, false);
    documents.put(URI, "set: {x: 2}");
    String next = YAML.replace("version: 1.0.0", "version: 1.0.1");

    assertInstanceOf(Deployment.Valid.class, deploy(registry, next, true));
    DeployedDefinition created =
        assertInstanceOf(Deployment.Created.class, deploy(registry, next, false)).definition();
    assertEquals("set: {x: 2}", created.text().documents().getFirst().text());
    assertEquals(List.of(URI, URI, URI), documents.asked());
  }

  @Test
  void shouldKeepTheDocumentsOfADeletedDefinition() throws IOException {
    DefinitionRegistry registry = registry(documents);
    deploy(registry, YAML, false);
    ProcessGraph before = Objects.requireNonNull(registry.graph(KEY));
    assertEquals(Deletion.DELETED, registry.delete(KEY));
    assertFalse(Files.exists(file(".documents")));
    documents.put(URI, "set: {x: 2}");
    deploy(registry, YAML, false);

    DefinitionRegistry restarted = registry(DocumentSource.none());
    ProcessGraph standing = Objects.requireNonNull(restarted.graph(KEY));
    ProcessGraph held = Objects.requireNonNull(restarted.graph(KEY, before.fingerprint()));
    assertNotEquals(before.fingerprint(), standing.fingerprint());
    assertEquals(before.fingerprint(), held.fingerprint());
  }

  @Test
  void shouldRefuseDocumentsThatWereChangedOnDisk() throws IOException {
    deploy(registry(documents), YAML, false);
    String content = Files.readString(file(".documents"));
    Files.writeString(file(".documents"), content.replace("x: 1", "x: 3"));

    UncheckedIOException damaged =
        assertThrows(UncheckedIOException.class, () -> registry(DocumentSource.none()));
    assertTrue(String.valueOf(damaged.getMessage()).contains("the file is damaged"));
    assertEquals(1, new DirectoryDefinitionStore(folder).problems().size());

    Files.writeString(file(".documents"), "[");
    assertThrows(UncheckedIOException.class, () -> registry(DocumentSource.none()));
    Files.delete(file(".documents"));
    IllegalStateException lost =
        assertThrows(IllegalStateException.class, () -> registry(DocumentSource.none()));
    assertTrue(
        String.valueOf(lost.getMessage()).contains("to be kept with the definition"),
        lost::getMessage);
  }

  @Test
  void shouldRemoveWhatACrashHasLeft() throws IOException {
    deploy(registry(documents), YAML, false);
    Path unfinished = folder.resolve("test/refers/.unfinished-2.0.0");
    Files.writeString(unfinished, "document: {}");
    Path early = Files.copy(file(".documents"), folder.resolve("test/refers/2.0.0.yaml.documents"));
    Path orphan =
        Files.copy(file(".documents"), folder.resolve("test/refers/3.0.0.yaml.documents"));

    assertNotNull(registry(DocumentSource.none()).find(KEY));
    assertFalse(Files.exists(unfinished));
    assertFalse(Files.exists(early));
    assertFalse(Files.exists(orphan));
    assertTrue(Files.exists(file(".documents")));
  }

  @Test
  void shouldWriteNoDocumentsForOtherDefinitions() {
    deploy(registry(documents), YAML.replace("call: '" + URI + "'", "wait: PT1S"), false);

    assertTrue(Files.exists(file("")));
    assertFalse(Files.exists(file(".documents")));
  }
}
