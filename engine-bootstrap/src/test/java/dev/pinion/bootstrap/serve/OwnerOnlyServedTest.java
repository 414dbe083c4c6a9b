package dev.pinion.bootstrap.serve;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Field fault 28: nobody else can read the data of an engine, whatever its umask at the start. */
@EnabledOnOs(OS.LINUX)
@Tag("long")
class OwnerOnlyServedTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final List<String> OPEN_TO_ALL = List.of("sh", "-c", "umask 0; exec \"$@\"", "sh");
  private static final String DEFINITION =
      """
      document: {dsl: 1.0.3, namespace: test, name: echo, version: 1.0.0}
      do:
        - echo: {set: '${ . }'}
      """;

  @TempDir private Path folder;

  @Test
  void shouldKeepEverythingForItsOwner() throws Exception {
    Path data = Files.createDirectory(folder.resolve("data"));
    Path old = Files.createDirectories(data.resolve("definitions/test/old")).resolve("1.0.0.yaml");
    Files.writeString(old, DEFINITION.replace("echo, version", "old, version"));
    try (ServedEngine engine =
        ServedEngine.startUnder(OPEN_TO_ALL, data, "--history", "sqlite", "--broker", "on")) {
      assertEquals(201, engine.post("/v1/definitions", "application/yaml", DEFINITION).status());
      String starts = "/v1/namespaces/test/definitions/echo/instances";
      assertEquals(200, engine.post(starts, "application/json", "{\"input\":1}").status());
      assertEquals(
          201,
          engine
              .post("/v1/subscriptions", "application/json", "{\"sink\":\"http://127.0.0.1:1/\"}")
              .status());
      assertEquals(
          202,
          engine
              .post(
                  "/v1/namespaces/test/events",
                  "application/cloudevents+json",
                  "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/a\",\"type\":\"t\","
                      + "\"subject\":\"s\",\"data\":{}}")
              .status());
      await()
          .atMost(PATIENCE)
          .until(() -> engine.get("/v1/history/instances").body().contains("COMPLETED"));
      assertEquals(List.of(), open(data));
    }
    assertEquals(List.of(), open(data));
    assertTrue(Files.exists(old));
  }

  /** Files that others could reach, with their permissions. */
  private static List<String> open(Path data) throws IOException {
    TreeSet<String> open = new TreeSet<>();
    try (Stream<Path> all = Files.walk(data)) {
      for (Path path : all.toList()) {
        String found =
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
        boolean isFolder = Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
        boolean isCode = path.toString().endsWith(".so"); // unpacked, and deleted at the end
        String wanted = isFolder ? "rwx------" : isCode ? "rw.------" : "rw-------";
        if (!found.matches(wanted)) {
          open.add(data.relativize(path) + " " + found);
        }
      }
    }
    return List.copyOf(open);
  }
}
