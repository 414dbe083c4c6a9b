package dev.pinion.handlers;

import dev.pinion.handlers.api.SettingProblem;
import dev.pinion.handlers.config.InvalidChainsException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The chains of a server on disk: one document, or a folder of documents that are read as one.
 *
 * @param place a document of chains, YAML or JSON in UTF-8; or a folder with such files, whose
 *     names end in {@code .yaml}, {@code .yml} or {@code .json}. Hidden files are skipped, others
 *     refused; folders inside are refused as well
 * @param maxBytes most bytes of all of them together
 */
public record ChainDocuments(Path place, int maxBytes) {
  private static final Set<String> ENDS = Set.of("yaml", "yml", "json");

  /**
   * Reads their current content. Blocks.
   *
   * @return texts by file name; by the empty text when there is one document and no folder
   * @throws InvalidChainsException when some cannot be read, with all problems; or when they are
   *     too long
   */
  public SortedMap<String, String> read() throws InvalidChainsException {
    SortedMap<String, String> texts = new TreeMap<>();
    List<SettingProblem> problems = new ArrayList<>();
    int left = maxBytes;
    boolean folder = Files.isDirectory(place);
    for (Path file : folder ? files() : List.of(place)) {
      String name = folder ? file.getFileName().toString() : "";
      try {
        byte[] bytes = read(file, left);
        left -= bytes.length;
        texts.put(name, text(bytes, file));
      } catch (InvalidChainsException e) {
        e.problems().forEach(problem -> problems.add(problem.in(name)));
      }
    }
    if (!problems.isEmpty()) {
      throw InvalidChainsException.of(problems);
    }
    return texts;
  }

  private List<Path> files() throws InvalidChainsException {
    try (Stream<Path> all = Files.list(place)) {
      return all.filter(file -> !file.getFileName().toString().startsWith(".")).sorted().toList();
    } catch (IOException e) {
      throw refusal(place, "that can be read", String.valueOf(e.getMessage()));
    }
  }

  private byte[] read(Path file, int most) throws InvalidChainsException {
    String name = file.getFileName().toString();
    if (!file.equals(place) && !ENDS.contains(name.substring(name.lastIndexOf('.') + 1))) {
      throw refusal(file, "whose name ends in .yaml, .yml or .json", "another one; move it");
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(most + 1);
      if (bytes.length > most) {
        String all = " bytes (handlers.maxDocumentBytes)";
        throw refusal(file, "with which there are at most " + maxBytes + all, "more");
      }
      return bytes;
    } catch (NoSuchFileException e) {
      throw refusal(file, "that can be read", "no such file");
    } catch (IOException e) {
      throw refusal(file, "that can be read", String.valueOf(e.getMessage()));
    }
  }

  private static String text(byte[] bytes, Path file) throws InvalidChainsException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw refusal(file, "in UTF-8", "bytes that are not");
    }
  }

  private static InvalidChainsException refusal(Path file, String expected, String found) {
    return InvalidChainsException.of(
        "", "expected a file " + expected + " at " + file + ", found " + found);
  }
}
