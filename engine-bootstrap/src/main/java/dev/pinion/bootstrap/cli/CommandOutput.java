package dev.pinion.bootstrap.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Output of commands as JSON and tables. */
public final class CommandOutput {
  public static final ObjectMapper JSON = new ObjectMapper();
  private static final ObjectWriter PRETTY = JSON.writerWithDefaultPrettyPrinter();

  private CommandOutput() {}

  /** Prints a tree over several lines. */
  public static void json(PrintWriter out, JsonNode node) {
    try {
      out.println(PRETTY.writeValueAsString(node));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
    out.flush();
  }

  /** Prints rows as aligned columns; the first row is the head. */
  public static void table(PrintWriter out, List<List<String>> rows) {
    int columns = rows.getFirst().size();
    int[] widths =
        IntStream.range(0, columns)
            .map(i -> rows.stream().mapToInt(row -> row.get(i).length()).max().orElse(0))
            .toArray();
    for (List<String> row : rows) {
      String line =
          IntStream.range(0, columns)
              .mapToObj(i -> row.get(i) + " ".repeat(widths[i] - row.get(i).length()))
              .collect(Collectors.joining("  "));
      out.println(line.stripTrailing());
    }
    out.flush();
  }
}
