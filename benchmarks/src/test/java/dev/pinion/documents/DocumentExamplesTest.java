package dev.pinion.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every example of the documents for users and operators runs. */
class DocumentExamplesTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private @TempDir Path folder;

  @BeforeEach
  void requirePages() {
    assumeFalse(Page.root().isEmpty(), "pinion.root is not set: no document is read");
  }

  @ParameterizedTest
  @ValueSource(strings = {"docs/language.md", "docs/patterns.md"})
  void shouldRunDefinitions(String path) throws Exception {
    Page page = Page.read(Path.of(path));
    try (LanguagePage examples = new LanguagePage()) {
      assertEquals(List.of(), examples.run(page));
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldRunTheOperationsOfTheApi() throws Exception {
    shouldRunCommands("docs/rest.md");
  }

  @ParameterizedTest
  @Tag("long")
  @EnabledOnOs(OS.LINUX)
  @ValueSource(strings = {"README.md", "docs/operations.md", "docs/cli.md"})
  void shouldRunCommands(String path) throws Exception {
    Page page = Page.read(Path.of(path));
    ShellPage script = new ShellPage(page, folder);

    List<String> outputs = script.run();

    List<Block> commands = script.blocks();
    assertFalse(commands.isEmpty());
    for (int i = 0; i < commands.size(); i++) {
      int next = page.blocks().indexOf(commands.get(i)) + 1;
      if (next < page.blocks().size() && page.blocks().get(next).is("json", "")) {
        Block shown = page.blocks().get(next);
        JsonNode found = last(outputs.get(i));
        assertTrue(
            Expected.holds(JSON.readTree(shown.text()), found),
            () -> path + ":" + shown.line() + ": found " + found);
      }
    }
  }

  /** The last JSON value that a block printed, which begins a line. */
  private static JsonNode last(String output) throws IOException {
    int begin = Math.max(output.lastIndexOf("\n{"), output.lastIndexOf("\n[")) + 1;
    JsonNode last = JSON.missingNode();
    try (MappingIterator<JsonNode> values =
        JSON.readerFor(JsonNode.class).readValues(output.substring(begin))) {
      while (values.hasNextValue()) {
        last = values.nextValue();
      }
    }
    return last;
  }
}
