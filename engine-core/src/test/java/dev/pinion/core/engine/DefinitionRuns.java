package dev.pinion.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.language.reference.DocumentSource;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** Runs definitions by hand, without a network, and remembers the tasks that were entered. */
final class DefinitionRuns {
  /** A service that returns what it is sent. */
  static final TestService ECHO = request -> TestService.Answer.ok(request.body());

  private static final String HEAD =
      "document: {dsl: '1.0.3', namespace: test, name: run, version: '1.0.0'}\n";

  private final TestService service;
  private final DocumentSource documents;
  private List<String> entered = List.of();

  DefinitionRuns(TestService service) {
    this(service, DocumentSource.none());
  }

  /** Runs of definitions that may refer to documents. */
  DefinitionRuns(TestService service, DocumentSource documents) {
    this.service = service;
    this.documents = documents;
  }

  /** Runs a definition without its head. */
  InstanceView run(String yaml, String input) throws Exception {
    try (ManualDriver driver = new ManualDriver(EngineLimits.defaults(), documents)) {
      InstanceView ended = driver.run(HEAD + yaml, json(input), service);
      entered = driver.entered();
      return ended;
    }
  }

  /** Runs a definition that completes, and returns its output. */
  String output(String yaml, String input) throws Exception {
    InstanceView ended = run(yaml, input);
    assertEquals(InstanceState.COMPLETED, ended.state(), () -> "error: " + ended.error());
    return String.valueOf(ended.output());
  }

  /** Runs a definition that fails, and returns its error. */
  WorkflowError error(String yaml, String input) throws Exception {
    InstanceView ended = run(yaml, input);
    assertEquals(InstanceState.FAULTED, ended.state(), () -> "output: " + ended.output());
    return Objects.requireNonNull(ended.error());
  }

  /** Names of the tasks that the last run entered, in order. */
  List<String> entered() {
    return entered;
  }

  static Payload json(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try {
      return new PayloadCodec(EngineLimits.defaults().json()).read(bytes, 0, bytes.length);
    } catch (PayloadSyntaxException e) {
      throw new IllegalArgumentException(text, e);
    }
  }
}
