package dev.pinion.core.definition;

import dev.pinion.core.definition.InstalledDefinition.CompiledDefinition;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.language.CompilationResult;
import dev.pinion.core.model.DeployedDefinition;
import dev.pinion.core.model.DeploymentStatus;
import dev.pinion.core.model.Diagnostic;
import dev.pinion.core.model.Payload;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** Compiles definitions of a store, which compiled when they were deployed. */
final class StoredDefinitionCompiler {
  private final DefinitionCompilation compilation;
  private final DefinitionStore store;

  StoredDefinitionCompiler(DefinitionCompilation compilation, DefinitionStore store) {
    this.compilation = compilation;
    this.store = store;
  }

  /**
   * Compiles a definition.
   *
   * @throws IllegalStateException when it does not compile or does not match its place; the message
   *     names it
   */
  CompiledDefinition compile(StoredDefinition stored) {
    return switch (compilation.ofStored(stored)) {
      case CompilationResult.Rejected(List<Diagnostic> problems, var _) ->
          throw refusal(
              stored, "expected a definition that compiles", problems.getFirst().toString());
      case CompilationResult.Compiled compiled -> {
        ProcessGraph graph = compiled.graph();
        if (!graph.key().equals(stored.key())) {
          throw refusal(stored, "expected definition " + stored.key(), graph.key().toString());
        }
        yield of(compiled, stored);
      }
    };
  }

  /** The reason why a definition of the store cannot be used. */
  IllegalStateException refusal(StoredDefinition stored, String expected, String found) {
    return new IllegalStateException(
        expected + " at " + store.location(stored) + ", found " + found + "; repair or move it");
  }

  /** A definition and the result of its compilation. */
  static CompiledDefinition of(CompilationResult.Compiled compiled, StoredDefinition stored) {
    ProcessGraph graph = compiled.graph();
    Payload document = compiled.document();
    return new CompiledDefinition(
        new DeployedDefinition(
            graph.key(),
            sha256(document),
            new DeployedDefinition.DefinitionText(
                stored.mediaType(), stored.source(), stored.documents()),
            document,
            compiled.chains(),
            compiled.orderingKey(),
            compiled.origins(),
            new DeploymentStatus(true, stored.deployedAtMillis())),
        graph);
  }

  private static String sha256(Payload document) {
    try {
      byte[] json = document.toString().getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(json));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // Every Java platform has SHA-256.
    }
  }
}
