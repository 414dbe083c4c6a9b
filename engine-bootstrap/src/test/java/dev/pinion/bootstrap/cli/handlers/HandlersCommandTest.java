package dev.pinion.bootstrap.cli.handlers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.CommandOutput;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.bootstrap.cli.StubEngine;
import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.MessageId;
import dev.pinion.handlers.api.Point;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.builtin.observe.AuditFactory;
import dev.pinion.handlers.config.HandlerKinds;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class HandlersCommandTest {
  private static final String CHAINS =
      """
      chains:
      - name: intake
        at: request-in
        order: auto
        handlers:
        - {name: a, use: read}
        - {name: b, use: read}
      - name: other
        handlers: [{name: c, use: read}]
      """;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  @TempDir private Path folder;

  private static HandlerKinds kinds() {
    return HandlerKinds.of(
        List.of(
            new HandlerFactory() {
              @Override
              public String name() {
                return "read";
              }

              @Override
              public String summary() {
                return "Reads the body.";
              }

              @Override
              public Handler create(Settings settings) {
                return new Handler() {
                  @Override
                  public Declaration declaration() {
                    return Declaration.NOTHING.reading(Slot.body(""));
                  }

                  @Override
                  public Verdict handle(View message) throws Exception {
                    message.json();
                    return Verdict.UNCHANGED;
                  }
                };
              }
            }));
  }

  private int run(Callable<Integer> command, String... arguments) {
    return new CommandLine(command)
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .setExecutionExceptionHandler(
            (failure, line, parsed) -> {
              err.append(failure.getMessage());
              return ((CommandException) failure).status();
            })
        .execute(arguments);
  }

  private String document(String text) throws IOException {
    return Files.writeString(folder.resolve("chains.yaml"), text).toString();
  }

  @Test
  void shouldListKinds() {
    assertEquals(ExitStatus.OK, run(new HandlersListCommand(kinds())));

    assertTrue(
        out.toString().matches("(?s)KIND\\s+WHAT IT DOES.read\\s+Reads the body\\..*"), out + "");
  }

  @Test
  void shouldExplainChainsWithTablesOfEventsThatAreTakenElsewhere() throws Exception {
    String chains =
        """
        chains:
        - name: customers
          handlers:
          - use: enrich
            settings:
              key: /a
              target: /b
              table: {events: {namespace: shop, type: customer.changed}}
        """;
    assertEquals(
        ExitStatus.OK,
        run(new HandlersExplainCommand(), document(chains), "--messages", "20"),
        err::toString);
    assertTrue(out.toString().contains("enrich"), out + "");
  }

  @Test
  void shouldVerifyAuditFiles() throws Exception {
    Path file = folder.resolve("audit.log");
    Settings settings =
        new Settings(Payload.object(Map.of("file", Payload.of(file.toString()))), "");
    try (Handler audit = new AuditFactory().create(settings)) {
      for (int i = 0; i < 2; i++) {
        Message message =
            Message.of(MessageId.random(), Point.REQUEST_IN, Map.of(), Body.of(Payload.NULL));
        audit.handle(View.of(message, audit.declaration()));
      }
    }
    assertEquals(ExitStatus.OK, run(new HandlersVerifyAuditCommand(), file.toString(), "--json"));
    JsonNode told = CommandOutput.JSON.readTree(out.toString());
    assertEquals(2, told.path("records").intValue());
    String head = told.path("head").asText();
    assertEquals(
        ExitStatus.OK, run(new HandlersVerifyAuditCommand(), file.toString(), "--head", head));
    assertEquals(
        ExitStatus.DATA, run(new HandlersVerifyAuditCommand(), file.toString(), "--head", "00"));

    List<String> lines = Files.readAllLines(file);
    Files.write(file, List.of(lines.get(1)));
    assertEquals(ExitStatus.DATA, run(new HandlersVerifyAuditCommand(), file.toString()));
    assertTrue(err.toString().contains("record 1: expected the hash"), err.toString());
    String none = folder.resolve("none").toString();
    assertEquals(ExitStatus.NO_INPUT, run(new HandlersVerifyAuditCommand(), none));
  }

  /** Jars outside the class path add kinds to all commands of handlers. */
  @Test
  void shouldListKindsOfFurtherJars() throws Exception {
    Path jar = folder.resolve("kinds.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new JarEntry("META-INF/services/" + HandlerFactory.class.getName()));
      out.write(FromAJar.class.getName().getBytes(UTF_8));
    }
    assertEquals(
        ExitStatus.OK,
        run(new HandlersListCommand(), "--handlers-path", jar.toString(), "--json"),
        err::toString);
    List<String> names = CommandOutput.JSON.readTree(out.toString()).findValuesAsText("name");
    assertTrue(names.containsAll(List.of("from-a-jar", "jwt")), names::toString);

    String none = folder.resolve("none").toString();
    assertEquals(
        ExitStatus.NO_INPUT, run(new HandlersListCommand(), "--handlers-path", none), none);
  }

  /** A kind that only the jar above names. */
  public static final class FromAJar implements HandlerFactory {
    /** For the service loader. */
    public FromAJar() {}

    @Override
    public String name() {
      return "from-a-jar";
    }

    @Override
    public String summary() {
      return "Does nothing.";
    }

    @Override
    public Handler create(Settings settings) {
      throw new IllegalArgumentException("never made");
    }
  }

  @Test
  void shouldExplainAFolderOfDocuments() throws Exception {
    document(CHAINS);
    Files.writeString(
        folder.resolve("more.yml"), "chains: [{name: more, handlers: [{use: read, name: d}]}]");
    String[] arguments = {folder.toString(), "--json", "--messages=5"};

    assertEquals(ExitStatus.OK, run(new HandlersExplainCommand(kinds()), arguments), err::toString);
    assertEquals(3, CommandOutput.JSON.readTree(out.toString()).size());

    Files.writeString(folder.resolve("wrong.json"), "{\"odd\": 1}");
    assertEquals(ExitStatus.DATA, run(new HandlersExplainCommand(kinds()), arguments));
    assertTrue(err.toString().contains("wrong.json#/odd: expected a known"), err.toString());
    String none = folder.resolve("none").toString();
    assertEquals(ExitStatus.NO_INPUT, run(new HandlersExplainCommand(kinds()), none));
  }

  /** Problems in the engine's answer are printed with their messages. */
  @Test
  void shouldShowWhyChainsStayAsTheyWere() throws Exception {
    String problem =
        "{\"title\":\"Invalid chains of handlers\",\"detail\":\"expected valid"
            + " ones\",\"errors\":[{\"pointer\":\"/chains/0/odd\",\"line\":0,\"detail\":\"expected"
            + " a known setting\"}]}";
    try (StubEngine engine = new StubEngine().answering(422, problem)) {
      assertEquals(
          ExitStatus.FAILURE, run(new HandlersReloadCommand(), "--url", engine.url()), "refused");
    }
    assertTrue(
        err.toString().contains("/chains/0/odd: expected a known setting\n"), err.toString());
  }

  @Test
  void shouldExplainAChain() throws Exception {
    String file = document(CHAINS);

    int status =
        run(
            new HandlersExplainCommand(kinds()),
            file,
            "--json",
            "--workers=2",
            "--messages=20",
            "--body={\"x\":1}");

    assertEquals(ExitStatus.OK, status, err.toString());
    JsonNode chains = CommandOutput.JSON.readTree(out.toString());
    assertEquals(2, chains.size());
    JsonNode chain = chains.get(0);
    assertEquals("stage 1: a | b", chain.path("plan").path(0).asText());
    assertEquals(20, chain.path("handlers").path(0).path("calls").asInt());
    assertEquals(0, chain.path("handlers").path(0).path("failures").asInt());
    assertTrue(chain.path("sequentialNanos").asDouble() > 0);
    assertTrue(chain.path("asItIs").path("pipelinedNanos").asDouble() > 0);
  }

  @Test
  void shouldExplainAChainWithTheServiceThatItSurrounds() throws Exception {
    String file = document(CHAINS);
    String[] options = {file, "--chain=other", "--messages=20", "--service-ms=2000"};
    assertEquals(ExitStatus.OK, run(new HandlersExplainCommand(kinds()), options), err::toString);
    assertTrue(out.toString().contains("the service takes 2000000.0 us"), out.toString());

    out.getBuffer().setLength(0);
    String[] json = {file, "--chain=other", "--messages=20", "--service-ms=2000", "--json"};
    run(new HandlersExplainCommand(kinds()), json);
    JsonNode chain = CommandOutput.JSON.readTree(out.toString()).get(0);
    assertEquals(2e9, chain.path("serviceNanos").asDouble());
    assertEquals(2e9, chain.path("asItIs").path("stageNanos").get(1).asDouble());
    double one = chain.path("asItIs").path("oneMessageNanos").asDouble();
    assertEquals(
        one + 19 * 2e9, chain.path("asItIs").path("pipelinedNanos").asDouble(), "the longest");

    assertEquals(
        ExitStatus.USAGE,
        run(new HandlersExplainCommand(kinds()), file, "--service-ms=-1"),
        err::toString);
  }

  @Test
  void shouldPrintOneChainForPeople() throws Exception {
    assertEquals(
        ExitStatus.OK,
        run(new HandlersExplainCommand(kinds()), document(CHAINS), "--chain=other"),
        err.toString());

    assertTrue(out.toString().startsWith("chain other"), out.toString());
    assertTrue(out.toString().contains("recommended: one after another"), out.toString());
  }

  @Test
  void shouldShowEveryProblemOfADocument() throws Exception {
    String file = document("chains: [{name: x, handlers: [{use: raed}], odd: 1}]");

    assertEquals(ExitStatus.DATA, run(new HandlersExplainCommand(kinds()), file));

    assertTrue(
        err.toString()
            .contains(
                "/chains/0/handlers/0/use: expected a kind of handlers, found \"raed\"; did you"
                    + " mean \"read\"?"),
        err.toString());
    assertTrue(err.toString().contains("/chains/0/odd: expected a known setting"), err.toString());
    assertEquals(
        ExitStatus.DATA,
        run(new HandlersExplainCommand(kinds()), document(CHAINS), "--chain=none"));
  }
}
