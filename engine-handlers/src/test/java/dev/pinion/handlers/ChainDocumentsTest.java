package dev.pinion.handlers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.handlers.api.SettingProblem;
import dev.pinion.handlers.config.ChainReader;
import dev.pinion.handlers.config.HandlerKinds;
import dev.pinion.handlers.config.InvalidChainsException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChainDocumentsTest {
  private static final int MOST = 64;

  @TempDir private Path folder;

  private void write(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }

  private static List<String> problems(InvalidChainsException refusal) {
    return refusal.problems().stream().map(SettingProblem::toString).toList();
  }

  private List<String> unreadable() {
    return problems(
        assertThrows(InvalidChainsException.class, () -> new ChainDocuments(folder, MOST).read()));
  }

  private static void assertHas(List<String> problems, String start, String part) {
    assertTrue(
        problems.stream().anyMatch(each -> each.startsWith(start) && each.contains(part)),
        start + " … " + part + " in " + problems);
  }

  @Test
  void shouldReadOneFileOrAllOfAFolderButHiddenOnes() throws Exception {
    write("b.yaml", "b");
    write("a.json", "a");
    write("c.yml", "c");
    write(".b.yaml.swp", "x");
    assertEquals(
        Map.of("a.json", "a", "b.yaml", "b", "c.yml", "c"),
        new ChainDocuments(folder, MOST).read());
    assertEquals(Map.of("", "b"), new ChainDocuments(folder.resolve("b.yaml"), MOST).read());
  }

  @Test
  void shouldTellOfEveryFileThatCannotBeRead() throws Exception {
    write("a.txt", "a");
    Files.write(folder.resolve("b.yaml"), "é".getBytes(StandardCharsets.ISO_8859_1));
    Files.createDirectory(folder.resolve("c.yaml"));
    List<String> problems = unreadable();
    assertHas(problems, "a.txt#: ", "whose name ends in .yaml, .yml or .json");
    assertHas(problems, "b.yaml#: ", "in UTF-8");
    assertHas(problems, "c.yaml#: ", "that can be read");
    assertEquals(3, problems.size(), problems::toString);
  }

  @Test
  void shouldHoldAllFilesTogetherToTheirBound() throws Exception {
    write("a.yaml", "#".repeat(40));
    write("b.yaml", "#".repeat(24));
    assertEquals(2, new ChainDocuments(folder, MOST).read().size());
    write("b.yaml", "#".repeat(25));
    assertHas(unreadable(), "b.yaml#: ", "handlers.maxDocumentBytes");
  }

  @Test
  void shouldReadAFolderAsOneDocument() throws Exception {
    EngineLimits limits = EngineLimits.defaults().with(Map.of("handlers.maxChains", 3));
    ChainReader reader = new ChainReader(HandlerKinds.of(List.of()), limits, null);
    write("a.yaml", "chains: [{name: x, at: request-in, handlers: []}]");
    write("b.yaml", "chains: [{name: y, handlers: []}, {name: z, handlers: []}]");
    ChainDocuments documents = new ChainDocuments(folder, 1 << 10);
    assertEquals(3, reader.read(documents.read()).size());

    write("b.yaml", "chains: [{name: x, at: request-in, handlers: []}, {name: z, handlrs: []}]");
    write("c.yaml", "chains: [{name: y, handlers: []}]");
    write("d.yaml", "chains: [");
    List<String> problems =
        problems(assertThrows(InvalidChainsException.class, () -> reader.read(documents.read())));
    assertHas(problems, "b.yaml#/chains/0/name: ", "found \"x\" again");
    assertHas(problems, "b.yaml#/chains/0/at: ", "one chain for the same messages");
    assertHas(problems, "b.yaml#/chains/1/handlrs: ", "did you mean \"handlers\"?");
    assertHas(problems, "c.yaml#/chains: ", "handlers.maxChains");
    assertHas(problems, "d.yaml#: ", "expected YAML or JSON");
  }

  @Test
  void shouldRefuseWhatCouldNeverApply() {
    ChainReader reader = new ChainReader(HandlerKinds.of(List.of()), EngineLimits.defaults(), null);
    List<String> problems =
        problems(
            assertThrows(
                InvalidChainsException.class,
                () ->
                    reader.read(
                        "chains: [{name: a, at: request-in, service: s, handlers: []},"
                            + "{name: b, at: response-out, serviceClass: c, handlers: []},"
                            + "{name: c, at: before-call, byClients: true, handlers: []}]")));
    assertHas(problems, "/chains/0/service: ", "for calls only");
    assertHas(problems, "/chains/1/serviceClass: ", "for calls only");
    assertHas(problems, "/chains/2/byClients: ", "attached nowhere");
    assertEquals(3, problems.size(), problems::toString);
  }
}
