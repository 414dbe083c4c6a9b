package dev.pinion.core.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.pinion.core.http.message.MediaTypes;
import dev.pinion.core.model.ChainReferences;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.DeployedDefinition;
import dev.pinion.core.model.DeploymentStatus;
import dev.pinion.core.model.Diagnostic;
import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.DefinitionCatalog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Definitions without a compiler: any document with an identity is valid. */
public final class FakeDefinitionCatalog implements DefinitionCatalog {
  public static final DefinitionKey KEY = new DefinitionKey("test", "echo", "1.0.0");

  volatile int max = 1_000;
  volatile boolean broken;
  volatile boolean diskFull;
  volatile boolean changedByHand;
  volatile boolean complete = true;

  /** Time of the next deployment. */
  final AtomicLong nextMillis = new AtomicLong(1_000);

  /** Names that were looked up, in order. */
  final List<String> sought = Collections.synchronizedList(new ArrayList<>());

  private final Map<DefinitionKey, DeployedDefinition> all = new ConcurrentHashMap<>();

  FakeDefinitionCatalog() {
    deploy(bytes(KEY, "Echo"), MediaTypes.JSON, null, false);
  }

  public static String document(DefinitionKey key, String title) {
    return "{\"document\": {\"namespace\": \"%s\", \"name\": \"%s\", \"version\": \"%s\", \"title\": \"%s\"}}"
        .formatted(key.namespace(), key.name(), key.version(), title);
  }

  static byte[] bytes(DefinitionKey key, String title) {
    return document(key, title).getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public boolean isComplete() {
    return complete;
  }

  @Override
  public Deployment deploy(
      byte[] source, String mediaType, @Nullable DefinitionKey expected, boolean dryRun) {
    if (broken) {
      throw new IllegalStateException("secret internals");
    }
    if (diskFull) {
      throw new UncheckedIOException(new IOException("/data/x: No space left on device"));
    }
    JsonNode json;
    try {
      json = new YAMLMapper().readTree(source);
    } catch (IOException e) {
      return invalid("", "expected a document, found " + e.getClass().getSimpleName());
    }
    JsonNode head = json.path("document");
    DefinitionKey key =
        new DefinitionKey(
            head.path("namespace").asText(),
            head.path("name").asText(),
            head.path("version").asText());
    if (key.name().isEmpty() || (expected != null && !expected.equals(key))) {
      return invalid("/document", "expected " + expected + ", found " + key);
    }
    return dryRun ? new Deployment.Valid(key) : install(key, source, mediaType, json);
  }

  private Deployment install(DefinitionKey key, byte[] source, String mediaType, JsonNode json) {
    DeployedDefinition info =
        new DeployedDefinition(
            key,
            sha256(json.toString()),
            new DeployedDefinition.DefinitionText(
                mediaType, new String(source, StandardCharsets.UTF_8)),
            Payload.of(json),
            ChainReferences.EMPTY,
            null,
            List.of(),
            new DeploymentStatus(true, nextMillis.getAndIncrement()));
    DeployedDefinition existing = all.get(key);
    if (existing != null) {
      return existing.sha256().equals(info.sha256())
          ? new Deployment.Unchanged(existing)
          : new Deployment.VersionConflict(existing);
    }
    if (all.size() >= max) {
      return new Deployment.TooManyDefinitions("definition.maxDefinitions");
    }
    all.put(key, info);
    return new Deployment.Created(info);
  }

  private static Deployment invalid(String pointer, String message) {
    return new Deployment.Invalid(List.of(new Diagnostic(pointer, 1, 2, message, "document")));
  }

  private static String sha256(String text) {
    try {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public Deletion delete(DefinitionKey key) {
    if (changedByHand) {
      return Deletion.CHANGED;
    }
    return all.remove(key) == null ? Deletion.UNKNOWN : Deletion.DELETED;
  }

  @Override
  public @Nullable DeployedDefinition setEnabled(DefinitionKey key, boolean enabled) {
    return all.computeIfPresent(key, (_, info) -> info.withEnabled(enabled));
  }

  @Override
  public void refreshStatus(DefinitionKey key) {}

  @Override
  public @Nullable DeployedDefinition find(DefinitionKey key) {
    sought.add(key.name());
    return all.get(key);
  }

  @Override
  public @Nullable DeployedDefinition latest(String namespace, String name) {
    List<DeployedDefinition> versions = list(namespace, name);
    return versions.isEmpty() ? null : versions.getLast();
  }

  @Override
  public List<DeployedDefinition> list(@Nullable String namespace, @Nullable String name) {
    return all.values().stream()
        .filter(info -> namespace == null || info.key().namespace().equals(namespace))
        .filter(info -> name == null || info.key().name().equals(name))
        .sorted(Comparator.comparing(info -> info.key().toString()))
        .toList();
  }
}
