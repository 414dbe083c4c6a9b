package dev.pinion.bootstrap.cli.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.bootstrap.PinionMain;
import dev.pinion.bootstrap.cli.ExitStatus;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GraphCommandTest {
  private static final String HEAD =
      "document: {dsl: 1.0.3, namespace: tour, name: hello, version: 1.0.0}\n";

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int graph(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return PinionMain.run(
        Stream.concat(Stream.of("graph"), Stream.of(arguments)).toArray(String[]::new),
        new PrintWriter(out, true),
        new PrintWriter(err, true));
  }

  private String write(String text) throws IOException {
    return Files.writeString(folder.resolve("d.yaml"), text).toString();
  }

  @Test
  void shouldDrawInEachForm() throws IOException {
    String file = write(HEAD + "do:\n  - greet: {wait: PT1S}\n");

    assertEquals(ExitStatus.OK, graph(file));
    assertTrue(out.toString().startsWith("<?xml "), out.toString());
    assertTrue(out.toString().contains("<g id=\"/do/0/greet\">"), out.toString());
    assertEquals("", err.toString());
    assertEquals(ExitStatus.OK, graph(file, "--format", "mermaid"));
    assertTrue(out.toString().contains("flowchart TD"), out.toString());
    assertEquals(ExitStatus.OK, graph(file, "--json"));
    assertEquals(
        "tour/hello 1.0.0", new ObjectMapper().readTree(out.toString()).get("title").asText());
    assertEquals(ExitStatus.USAGE, graph(file, "--json", "--format=svg"));
    assertEquals(ExitStatus.USAGE, graph(file, "--format=png"));
  }

  @Test
  void shouldWriteIntoAFile() throws IOException {
    String file = write(HEAD + "do:\n  - greet: {wait: PT1S}\n");
    Path picture = folder.resolve("d.svg");

    assertEquals(ExitStatus.OK, graph(file, "--out", picture.toString()));

    assertEquals("", out.toString());
    assertTrue(Files.readString(picture).endsWith("</svg>\n"));
    assertEquals(ExitStatus.FAILURE, graph(file, "--out", folder.toString()));
    assertTrue(err.toString().contains("expected a file that can be written"), err.toString());
  }

  @Test
  void shouldDrawWhatIsNotValidAndSaySo() throws IOException {
    assertEquals(ExitStatus.OK, graph(write(HEAD + "do:\n  - a: {weit: PT1S, then: b}\n")));

    assertTrue(out.toString().contains("/do/0/a"), out.toString());
    assertTrue(err.toString().contains("is not valid (problems: "), err.toString());
  }

  @Test
  void shouldRefuseWhatCannotBeReadOrIsTooLarge() throws IOException {
    assertEquals(ExitStatus.DATA, graph(write("do: [\n")));
    assertTrue(err.toString().contains("d.yaml:2:1: expected YAML"), err.toString());
    String tasks =
        IntStream.rangeClosed(0, 10_000)
            .mapToObj(i -> "  - t" + i + ": {set: {x: 1}}\n")
            .collect(Collectors.joining("", HEAD + "do:\n", ""));
    assertEquals(ExitStatus.DATA, graph(write(tasks)));
    assertTrue(err.toString().contains("(definition.maxDrawnTasks)"), err.toString());
    assertFalse(out.toString().contains("svg"));
    assertEquals(ExitStatus.NO_INPUT, graph(folder.resolve("none.yaml").toString()));
  }
}
