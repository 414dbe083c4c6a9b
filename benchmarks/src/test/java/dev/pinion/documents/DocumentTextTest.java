package dev.pinion.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Documents stay short, and their links lead somewhere. */
class DocumentTextTest {
  /** Words of all pages but decisions and evidence, which are looked up and not read. */
  private static final int MOST_WORDS = 42_000;

  private static final List<Path> LOOKED_UP =
      List.of(Path.of("docs/adr"), Path.of("docs/evidence"));

  private static final int MOST_WORDS_OF_A_CELL = 60;
  private static final int MOST_WORDS_OF_A_SENTENCE = 40;

  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern SPACE = Pattern.compile("\\s+");
  private static final Pattern END_OF_SENTENCE = Pattern.compile("(?<=[.!?:;])\\s+");

  @BeforeEach
  void requirePages() {
    assumeFalse(Page.root().isEmpty(), "pinion.root is not set: no document is read");
  }

  @Test
  void shouldBeShort() throws IOException {
    int words = 0;
    for (Page page : Page.all()) {
      if (LOOKED_UP.stream().anyMatch(page.path()::startsWith)) {
        continue;
      }
      words += words(Files.readString(Path.of(Page.root()).resolve(page.path())));
    }
    assertTrue(words < MOST_WORDS, "words of all documents: " + words);
  }

  @Test
  void shouldHaveShortCells() throws IOException {
    List<String> tooLong = new ArrayList<>();
    for (Page page : Page.all()) {
      for (int i = 0; i < page.lines().size(); i++) {
        String line = page.lines().get(i).strip();
        if (line.startsWith("|")) {
          for (String cell : line.split("\\|", -1)) {
            addWhenLong(tooLong, page, i, cell, MOST_WORDS_OF_A_CELL);
          }
        }
      }
    }
    assertEquals(List.of(), tooLong);
  }

  @Test
  void shouldHaveShortSentences() throws IOException {
    List<String> tooLong = new ArrayList<>();
    for (Page page : Page.all()) {
      StringBuilder paragraph = new StringBuilder();
      for (int i = 0; i <= page.lines().size(); i++) {
        String line = i == page.lines().size() ? "" : page.lines().get(i).strip();
        boolean goesOn = !line.isEmpty() && !line.startsWith("|") && !line.startsWith("#");
        if (!goesOn || line.startsWith("- ")) {
          for (String sentence : END_OF_SENTENCE.split(paragraph, -1)) {
            addWhenLong(tooLong, page, i - 1, sentence, MOST_WORDS_OF_A_SENTENCE);
          }
          paragraph.setLength(0);
        }
        if (goesOn) {
          paragraph.append(line).append(' ');
        }
      }
    }
    assertEquals(List.of(), tooLong);
  }

  private static void addWhenLong(List<String> found, Page page, int line, String text, int most) {
    if (words(text) > most) {
      found.add(page.path() + ":" + (line + 1) + ": " + words(text) + " words: " + text.strip());
    }
  }

  /** Words of a text; the borders of a table's cells are none. */
  private static int words(String text) {
    return (int)
        SPACE
            .splitAsStream(text)
            .filter(each -> each.chars().anyMatch(Character::isLetterOrDigit))
            .count();
  }

  @Test
  void shouldLinkToWhatExists() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Page page : Page.all()) {
      Matcher links = LINK.matcher(String.join("\n", page.lines()));
      while (links.find()) {
        if (!links.group(1).contains("://") && !leadsSomewhere(page, links.group(1))) {
          broken.add(page.path() + ": " + links.group(1));
        }
      }
    }
    assertEquals(List.of(), broken);
  }

  private static boolean leadsSomewhere(Page page, String link) throws IOException {
    String[] parts = link.split("#", 2);
    Path root = Path.of(Page.root());
    Path file = root.resolve(page.path());
    if (!parts[0].isEmpty()) {
      file = file.resolveSibling(parts[0]).normalize();
    }
    if (!Files.exists(file)) {
      return false;
    }
    if (parts.length == 1) {
      return true;
    }
    return headings(Page.read(root.relativize(file))).contains(parts[1]);
  }

  /** The anchors that hosts of repositories give to headings. */
  private static List<String> headings(Page page) {
    return page.lines().stream()
        .filter(each -> each.startsWith("#"))
        .map(each -> each.replaceFirst("^#+ +", "").toLowerCase(Locale.ROOT))
        .map(each -> each.replaceAll("\\[([^]]*)\\]\\([^)]*\\)", "$1"))
        .map(each -> each.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
        .collect(Collectors.toList());
  }
}
