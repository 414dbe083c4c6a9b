package dev.pinion.benchmarks.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.benchmarks.chart.Figure;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The files of a run in a folder: {@code report.html}, {@code results.json}, {@code results.csv},
 * and each figure of the page as {@code figure-1.svg} and so on.
 */
public final class ResultFiles {
  /** The page. */
  public static final String PAGE = "report.html";

  /** All results for machines. */
  public static final String JSON = "results.json";

  /** Single measurements as CSV. */
  public static final String CSV = "results.csv";

  private static final Pattern FIGURE = Pattern.compile("figure-(\\d{1,6})\\.svg");

  private ResultFiles() {}

  /**
   * Creates a folder for a report if it is missing: before a run, so that no report is lost at its
   * end.
   *
   * @throws IOException with a sentence for people when it is not writable
   */
  public static void prepare(Path folder) throws IOException {
    if (folder.toString().isEmpty()) {
      throw new IOException("expected --out to name a folder, found an empty name");
    }
    try {
      Files.createDirectories(folder);
    } catch (FileAlreadyExistsException e) {
      throw unwritable(folder, "a file");
    } catch (AccessDeniedException e) {
      throw unwritable(folder, "one that may not be made");
    } catch (FileSystemException e) {
      throw unwritable(
          folder,
          "one that cannot be made, "
              + (e.getReason() == null ? "in a place that has no folders," : e.getReason()));
    }
    if (!Files.isWritable(folder)) {
      throw unwritable(folder, "a folder that may not be written to");
    }
  }

  private static IOException unwritable(Path folder, String found) {
    return new IOException(
        "expected --out to name a folder that can be made or written to, found "
            + found
            + " at "
            + folder
            + "; name another one");
  }

  /**
   * Writes a report into a folder, which is created if missing. Figures of an earlier run that this
   * one lacks are deleted.
   *
   * @param machines SVG drawings of the machines in the report, by name
   */
  public static void write(Path folder, Report report, Map<String, String> machines)
      throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve(PAGE), HtmlReport.render(report, machines));
    Files.writeString(folder.resolve(JSON), report.json().toPrettyString() + "\n");
    Files.writeString(folder.resolve(CSV), CsvReport.render(report));
    int number = 0;
    for (Figure figure : report.figures()) {
      number++;
      Files.writeString(figure(folder, number), figure.document());
    }
    deleteFigures(folder, number);
  }

  private static void deleteFigures(Path folder, int last) throws IOException {
    List<Path> surplus = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "figure-*.svg")) {
      for (Path file : files) {
        Matcher name = FIGURE.matcher(String.valueOf(file.getFileName()));
        if (name.matches() && Integer.parseInt(name.group(1)) > last && Files.isRegularFile(file)) {
          surplus.add(file);
        }
      }
    }
    for (Path file : surplus) {
      Files.delete(file);
    }
  }

  private static Path figure(Path folder, int number) {
    return folder.resolve("figure-" + number + ".svg");
  }

  /**
   * Reads the results of {@link #write}.
   *
   * @param place the folder, or the results file in it
   * @throws IOException with a sentence for people when there are none
   */
  public static JsonNode read(Path place) throws IOException {
    Path file = Files.isDirectory(place) ? place.resolve(JSON) : place;
    if (!Files.isReadable(file)) {
      throw new IOException("expected results of an experiment, found no file " + file);
    }
    JsonNode json;
    try {
      json = new ObjectMapper().readTree(file.toFile());
    } catch (JsonProcessingException e) {
      throw new IOException(
          "expected results of an experiment in " + file + ", found: " + e.getOriginalMessage(), e);
    }
    if (!json.path("experiment").isTextual() || !json.path("comparisons").isArray()) {
      throw new IOException("expected results of an experiment in " + file + ", found other JSON");
    }
    return json;
  }
}
