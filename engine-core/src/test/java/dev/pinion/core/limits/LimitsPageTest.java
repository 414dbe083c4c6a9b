package dev.pinion.core.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * The page of the limits is what the limits say. {@code -Dpinion.write=true} writes it anew, after
 * a limit was changed.
 */
class LimitsPageTest {
  private static final String HEAD =
      """
      # Limits

      For operators. `serve --set NAME=VALUE`, a file or the environment sets a limit ([operations.md](operations.md#limits), also for defaults that are shares of the heap). "more: 503" is the status of an answer beyond it. This page is written from the code; a test compares both.
      """;

  private static String page() {
    StringBuilder page = new StringBuilder(HEAD);
    String group = "";
    for (EngineLimits.Row row : EngineLimits.rows()) {
      String own = row.name().substring(0, row.name().indexOf('.'));
      if (!own.equals(group)) {
        group = own;
        page.append("\n## ").append(group).append("\n\n| limit | default | range | what |\n");
        page.append("|---|---|---|---|\n");
      }
      page.append(
          String.format(
              Locale.ROOT,
              "| `%s` | %,d | %,d–%,d | %s |%n",
              row.name(),
              row.usual(),
              row.min(),
              row.max(),
              row.says().replace("|", "\\|")));
    }
    return page.toString();
  }

  @Test
  void shouldSayWhatTheLimitsSay() throws IOException {
    String root = System.getProperty("pinion.root");
    assertNotNull(root, "expected the folder of the repository as pinion.root");
    Path file = Path.of(root, "docs", "limits.md");
    if (Boolean.getBoolean("pinion.write")) {
      Files.writeString(file, page());
    }
    assertEquals(page(), Files.readString(file), "mvn test -Dpinion.write=true writes the page");
  }
}
