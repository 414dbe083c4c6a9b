package dev.pinion.bootstrap.cli.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.PinionMain;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.bootstrap.cli.ProgressLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProfileCommandTest {
  private static final String NOBODY = "http://127.0.0.1:1";

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @CsvSource({
    "--seconds, 0, 2",
    "--seconds, 1, 69",
    "--seconds, 600, 69",
    "--seconds, 601, 2",
    "--replica, -1, 2",
    "--replica, 0, 69",
    "--replica, 999999, 69",
    "--replica, 1000000, 2",
    "--depth, 0, 2",
    "--depth, 1, 69",
    "--depth, 64, 69",
    "--depth, 65, 2",
    "--package-level, 1, 2",
    "--package-level, 2, 69",
    "--package-level, 6, 69",
    "--package-level, 7, 2",
  })
  void shouldRefuseOptionsOutOfTheirBoundsBeforeItAsksTheEngine(
      String option, String value, int status) {
    assertEquals(status, run("profile", "--admin", NOBODY, option, value), err.toString());

    assertTrue(
        err.toString().contains(status == 2 ? "expected " + option : "no engine answers"),
        err.toString());
  }

  @Test
  void shouldTakeOneProcessOrAll() {
    assertEquals(2, run("profile", "--admin", NOBODY, "--broker", "--replica", "0"));
    assertTrue(err.toString().contains("expected --replica or --broker"), err.toString());
    assertEquals(69, run("profile", "--admin", NOBODY, "--broker"));
  }

  @Test
  void shouldRefuseFilesThatCannotBeWrittenBeforeItAsksTheEngine(@TempDir Path folder) {
    String missing = folder.resolve("none").resolve("page.html").toString();
    String same = folder.resolve("same").toString();

    assertEquals(2, run("profile", "--admin", NOBODY, "--out", missing));
    assertTrue(
        err.toString().contains("found no folder " + folder.resolve("none")), err.toString());
    assertEquals(2, run("profile", "--admin", NOBODY, "--json", folder.toString()));
    assertTrue(err.toString().contains("expected --json to name a file"), err.toString());
    assertEquals(2, run("profile", "--admin", NOBODY, "--json", "/"));
    assertEquals(2, run("profile", "--admin", NOBODY, "--out", same, "--json", same));
    assertTrue(err.toString().contains("to name two files, found one"), err.toString());
    assertEquals(69, run("profile", "--admin", NOBODY, "--out", same, "--json", "-"));
    assertEquals(2, run("profile", "--admin", NOBODY, "--svg", missing));
    assertTrue(err.toString().contains("expected --svg to name a file"), err.toString());
    assertEquals(2, run("profile", "--admin", NOBODY, "--out", same, "--svg", same));
    assertEquals(2, run("profile", "--admin", NOBODY, "--svg", same, "--json", same));
    assertTrue(err.toString().contains("expected --svg and --json to name two files"));
  }

  @Test
  void shouldNotWriteOverTheProfilesThatItCompares(@TempDir Path folder) throws IOException {
    Path one = Files.writeString(folder.resolve("one.json"), "kept");
    Path link = Files.createSymbolicLink(folder.resolve("link.svg"), one);
    Path two = folder.resolve("two.json");

    for (Path written : List.of(one, link, folder.resolve(".").resolve("one.json"))) {
      assertEquals(
          2, run("profile", "diff", one.toString(), two.toString(), "--svg", written.toString()));
      assertTrue(err.toString().contains("expected --svg and BEFORE to name two files"));
    }
    assertEquals(
        2, run("profile", "diff", two.toString(), one.toString(), "--out", link.toString()));
    assertTrue(err.toString().contains("expected --out and AFTER to name two files"));
    assertEquals("kept", Files.readString(one));
    assertFalse(Files.exists(two));
  }

  @Test
  void shouldSeeThatFilesAreTheSameThroughLinks(@TempDir Path folder) throws IOException {
    Path real = Files.createDirectory(folder.resolve("real"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), real);
    String one = real.resolve("new.svg").toString();
    String same = link.resolve("new.svg").toString();

    assertEquals(2, run("profile", "--admin", NOBODY, "--svg", one, "--out", same));
    assertEquals(2, run("profile", "--admin", NOBODY, "--svg", ""));
    assertTrue(err.toString().contains("found an empty name"), err.toString());
    assertEquals(69, run("profile", "--admin", NOBODY, "--svg", one));
    assertFalse(Files.exists(real.resolve("new.svg")), "nothing is left of the attempt");
  }

  @Test
  void shouldLeaveFilesAndLinksAsTheyAreWhenNoEngineAnswers(@TempDir Path folder)
      throws IOException {
    Path file = Files.writeString(folder.resolve("old.svg"), "old");
    Path target = folder.resolve("to-come.svg");
    Path link = Files.createSymbolicLink(folder.resolve("link.svg"), target);

    assertEquals(69, run("profile", "--admin", NOBODY, "--svg", file.toString()));
    assertEquals(69, run("profile", "--admin", NOBODY, "--svg", link.toString()));

    assertEquals("old", Files.readString(file));
    assertTrue(Files.isSymbolicLink(link));
    assertFalse(Files.exists(target));
  }

  @Test
  void shouldSayWhichProfileIsMissing(@TempDir Path folder) {
    String missing = folder.resolve("none").toString();

    assertEquals(ExitStatus.NO_INPUT, run("profile", "diff", missing, missing));
    assertTrue(
        err.toString().contains("expected a file of profile --json, found no file " + missing),
        err.toString());
  }

  @Test
  void shouldExplainItself() {
    assertEquals(ExitStatus.OK, run("profile", "--help"));
    assertTrue(out.toString().contains("--package-level"), out.toString());
    assertEquals(ExitStatus.OK, run("profile", "diff", "--help"));
    assertTrue(out.toString().contains("BEFORE"), out.toString());
  }

  @Test
  void shouldDrawHowFarItIs() {
    PrintWriter terminal = new PrintWriter(out);

    ProfileSession.draw(terminal, 4_000_000_000L, 8_000_000_000L);
    ProfileSession.draw(terminal, 9_000_000_000L, 8_000_000_000L);
    ProgressLine.clear(terminal);

    assertTrue(out.toString().contains("[###############---------------] 4 s left"), "half");
    assertTrue(out.toString().contains("[##############################] reading"), "whole");
    assertTrue(out.toString().endsWith("\r\u001b[K"), "cleared");
  }

  private int run(String... words) {
    return PinionMain.run(words, new PrintWriter(out, true), new PrintWriter(err, true));
  }
}
