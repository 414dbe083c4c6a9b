package dev.pinion.documents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A page of Markdown.
 *
 * @param path relative to the root of the repository
 * @param lines its lines, those of blocks empty
 * @param blocks its fenced blocks
 */
record Page(Path path, List<String> lines, List<Block> blocks) {
  private static final String FENCE = "```";

  /** Root of the repository; empty when tests are run by something else than Maven. */
  static String root() {
    return System.getProperty("pinion.root", "");
  }

  /** All pages: those in the root, and in docs. */
  static List<Page> all() throws IOException {
    Path root = Path.of(root());
    List<Path> paths = new ArrayList<>();
    try (Stream<Path> top = Files.list(root);
        Stream<Path> docs = Files.walk(root.resolve("docs"))) {
      Stream.concat(top, docs)
          .filter(each -> each.toString().endsWith(".md"))
          .sorted()
          .forEach(paths::add);
    }
    List<Page> pages = new ArrayList<>();
    for (Path each : paths) {
      pages.add(read(root.relativize(each)));
    }
    return pages;
  }

  static Page read(Path path) throws IOException {
    List<String> lines = new ArrayList<>();
    List<Block> blocks = new ArrayList<>();
    String[] head = {};
    StringBuilder text = new StringBuilder();
    for (String line : Files.readAllLines(Path.of(root()).resolve(path))) {
      boolean fence = line.strip().startsWith(FENCE);
      if (fence && head.length == 0) {
        head = line.strip().substring(FENCE.length()).split(" ", 2);
        text.setLength(0);
      } else if (fence) {
        int begin = lines.size() - (int) text.chars().filter(each -> each == '\n').count();
        blocks.add(new Block(head[0], head.length > 1 ? head[1] : "", text.toString(), begin));
        head = new String[0];
      } else if (head.length > 0) {
        text.append(line).append('\n');
      }
      lines.add(fence || head.length > 0 ? "" : line);
    }
    if (head.length > 0) {
      throw new IllegalStateException("expected the last block of " + path + " to end");
    }
    return new Page(path, lines, blocks);
  }
}
