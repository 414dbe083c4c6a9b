package dev.pinion.workloads.demo;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.workloads.WorkloadMain;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole demonstration with real processes: the stub, and a fake engine behind a launcher. */
@Timeout(120)
class DemoTest {
  @TempDir private Path directory;

  private final StringWriter printed = new StringWriter();

  @BeforeEach
  void onUnix() {
    assumeTrue(File.separatorChar == '/', "the launcher of this test is a shell script");
  }

  @Test
  void shouldRunEverythingAndLeaveNothingBehind() throws Exception {
    // when
    boolean right = demo(false, true).run(launcher("NONE"));

    // then
    JsonNode report = new ObjectMapper().readTree(printed.toString());
    assertTrue(right, report::toPrettyString);
    assertTrue(report.get("right").booleanValue());
    assertEquals(2, report.at("/topology/cpus").intValue());
    assertEquals(5, report.get("runs").size());
    assertEquals(30, report.at("/calls/expected").intValue());
    assertEquals(30, report.at("/calls/found").intValue());
    assertEquals(5, report.get("loads").size());
    assertEquals(3, report.get("processes").size());
    for (JsonNode process : report.get("processes")) {
      assertEquals(
          ProcessPlacement.cpus(ProcessHandle.current().pid()), process.get("cpus").textValue());
      assertFalse(isAlive(process.get("pid").longValue()));
    }
  }

  @Test
  void shouldTellItForPeople() throws Exception {
    // when
    boolean right = demo(false, false).run(launcher("WRONG_OUTPUT"));

    // then
    String text = printed.toString();
    assertFalse(right);
    assertTrue(text.contains("2 CPUs that share a cache"), text);
    assertTrue(text.contains("\n  replica    pid "), text);
    assertTrue(text.contains("not as expected, wrong output"), text);
    assertTrue(text.contains("Calls: 30 expected, 30 counted by the stub"), text);
    assertTrue(text.contains("answers/s"), text);
    assertTrue(text.endsWith("Something is not as expected, see above.\n"), text);
  }

  @Test
  void shouldLeaveEngineAndStubRunningWhenAsked() throws Exception {
    // when
    boolean right = demo(true, true).run(launcher("NONE"));

    // then
    JsonNode report = new ObjectMapper().readTree(printed.toString());
    long engine = report.at("/processes/0/pid").longValue();
    long stub = report.at("/processes/2/pid").longValue();
    try {
      assertTrue(right);
      assertTrue(isAlive(engine));
      assertTrue(isAlive(stub));
      assertEquals(200, stats(URI.create(report.at("/processes/2/uri").textValue())));
    } finally {
      end(engine);
      end(stub);
    }
  }

  @Test
  void shouldEndTheStubWhenItsParentDies() throws Exception {
    // given
    Process stub =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                WorkloadMain.class.getName(),
                "stub",
                "--exit-with-parent")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String line = stub.inputReader().readLine();
    URI uri = URI.create(line.replace("ready ", ""));
    assertEquals(200, stats(uri));

    // when: as the kernel closes the pipe of a dying process
    stub.getOutputStream().close();

    // then
    await().atMost(Duration.ofSeconds(20)).until(() -> !stub.isAlive());
    assertEquals(0, stub.exitValue());
    assertThrows(ConnectException.class, () -> stats(uri));
  }

  @Test
  void shouldLeaveNothingBehindWhenItIsAskedToEnd() throws Exception {
    // given
    Path temporary = Files.createDirectory(directory.resolve("tmp"));
    Process demo =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dpinion.launcher=" + launcherFile("NONE"),
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                System.getProperty("java.class.path"),
                WorkloadMain.class.getName(),
                "demo",
                "--seconds",
                "60")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader lines = demo.inputReader();
    lines.lines().takeWhile(line -> !line.startsWith("Throughput")).forEach(line -> {});
    List<ProcessHandle> children = demo.descendants().toList();
    assertEquals(2, children.size());

    // when
    demo.destroy();

    // then
    await()
        .atMost(Duration.ofSeconds(40))
        .until(() -> !demo.isAlive() && children.stream().noneMatch(ProcessHandle::isAlive));
    try (Stream<Path> left = Files.list(temporary)) {
      assertEquals(List.of(), left.filter(path -> path.toString().contains("demo")).toList());
    }
  }

  @Test
  void shouldSayWhyTheEngineDoesNotStart() throws Exception {
    // given
    Path script = script("[ \"$1\" = topology ] && exit 0\necho 'the port is taken' >&2\nexit 1\n");

    // when
    DemoException refusal =
        assertThrows(DemoException.class, () -> demo(false, false).run(DemoLauncher.at(script)));

    // then
    assertEquals(
        "expected the engine to start, found in its log:\n  the port is taken",
        refusal.getMessage());
  }

  @Test
  void shouldSayThatThereIsNoLauncher() throws IOException {
    // given
    Path missing = directory.resolve("pinion");
    Path notExecutable = Files.writeString(directory.resolve("text"), "");

    for (Path path : List.of(missing, notExecutable)) {
      // when
      DemoException refusal = assertThrows(DemoException.class, () -> DemoLauncher.at(path));

      // then
      assertEquals("expected an executable file at " + path + ", found none", refusal.getMessage());
    }
  }

  private Demo demo(boolean keep, boolean json) {
    return new Demo(
        WorkloadMain.class,
        new DemoSettings(Duration.ofMillis(250), 2, keep),
        json,
        new PrintWriter(printed));
  }

  private DemoLauncher launcher(String fault) throws IOException, DemoException {
    return DemoLauncher.at(launcherFile(fault));
  }

  private Path launcherFile(String fault) throws IOException {
    return script(
        "[ \"$*\" = topology ] && echo '2 CPUs that share a cache' && exit 0\n"
            + "[ \"$*\" = 'topology --json' ] && echo '{\"cpus\":2}' && exit 0\n"
            + "exec \"$JAVA_HOME/bin/java\" -Dfault="
            + fault
            + " -cp '"
            + System.getProperty("java.class.path")
            + "' "
            + FakeEngine.class.getName()
            + "\n");
  }

  private Path script(String body) throws IOException {
    Path script = Files.writeString(directory.resolve("pinion"), "#!/bin/sh\n" + body);
    assertTrue(script.toFile().setExecutable(true));
    return script;
  }

  private static int stats(URI stub) throws IOException, InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpRequest request = HttpRequest.newBuilder(stub.resolve("/__stats")).build();
      return http.send(request, BodyHandlers.discarding()).statusCode();
    }
  }

  private static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }

  private static void end(long pid) {
    ProcessHandle.of(pid)
        .ifPresent(
            process -> {
              process.destroy();
              await().atMost(Duration.ofSeconds(20)).until(() -> !process.isAlive());
            });
  }
}
