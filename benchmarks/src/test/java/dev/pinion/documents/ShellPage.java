package dev.pinion.documents;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The {@code sh} blocks of a page as one script. It runs in a copy of the files that examples use,
 * where the ports that pages name are replaced by free ones, and {@code bin/pinion} has the class
 * path of the tests.
 */
final class ShellPage {
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  /** Ports of engines, admin listeners and stub services in documents. */
  private static final List<Integer> PORTS = List.of(8080, 8081, 9090, 9091, 9180, 9181);

  /** Files of the documents that examples name. */
  private static final Pattern COPIED = Pattern.compile("\\.(yaml|json|tree)$");

  private final Page page;
  private final Path folder;
  private final Map<Integer, Integer> free = new HashMap<>();

  ShellPage(Page page, Path folder) {
    this.page = page;
    this.folder = folder;
  }

  /**
   * Runs the page from its first block to its last.
   *
   * @return what each block printed, in order
   * @throws AssertionError when a command fails or time is up
   */
  List<String> run() throws IOException, InterruptedException {
    choosePorts();
    command();
    copyDocuments();
    List<Block> blocks = blocks();
    StringBuilder script = new StringBuilder("set -e -o pipefail\n");
    script.append("trap 'code=$?; kill $(jobs -p) 2>/dev/null || true; wait; exit $code' EXIT\n");
    for (int i = 0; i < blocks.size(); i++) {
      String text = withFreePorts(blocks.get(i).text());
      script.append("echo 'block of line ").append(blocks.get(i).line()).append("' >&2\n");
      script.append("{\n").append(text).append("} >'").append(output(i)).append("'\n");
    }
    execute(Files.writeString(folder.resolve("page.sh"), script));
    List<String> outputs = new ArrayList<>();
    for (int i = 0; i < blocks.size(); i++) {
      outputs.add(Files.readString(output(i)));
    }
    return outputs;
  }

  List<Block> blocks() {
    return page.blocks().stream().filter(each -> each.is("sh", "")).toList();
  }

  private Path output(int block) {
    return folder.resolve("block-" + block);
  }

  private void execute(Path script) throws IOException, InterruptedException {
    Path errors = folder.resolve("errors");
    ProcessBuilder builder =
        new ProcessBuilder("bash", script.toString())
            .directory(root().toFile())
            .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
            .redirectOutput(Redirect.DISCARD)
            .redirectError(errors.toFile());
    builder.environment().put("TMPDIR", folder.toString());
    builder.environment().put("HOME", folder.toString());
    builder.environment().keySet().removeIf(each -> each.startsWith("XDG_"));
    builder.environment().put("PINION_PORT", String.valueOf(free.get(8080)));
    builder.environment().put("PINION_URL", "http://127.0.0.1:" + free.get(8080));
    builder.environment().put("PINION_ADMIN_PORT", String.valueOf(free.get(9180)));
    builder.environment().put("PINION_ADMIN", "http://127.0.0.1:" + free.get(9180));
    Process process = builder.start();
    boolean ended = process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    if (!ended) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
    if (!ended || process.exitValue() != 0) {
      throw new AssertionError(
          page.path()
              + (ended ? ": exit code " + process.exitValue() : ": not done in " + PATIENCE)
              + "; its errors: "
              + Files.readString(errors));
    }
  }

  private void choosePorts() throws IOException {
    List<ServerSocket> held = new ArrayList<>();
    try {
      for (int port : PORTS) {
        ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        held.add(socket);
        free.put(port, socket.getLocalPort());
      }
    } finally {
      for (ServerSocket each : held) {
        each.close();
      }
    }
  }

  private String withFreePorts(String text) {
    String replaced = text;
    for (int port : PORTS) {
      replaced = replaced.replaceAll("\\b" + port + "\\b", "@" + free.get(port) + "@");
    }
    return replaced.replaceAll("@(\\d+)@", "$1");
  }

  /** A stand-in for bin/pinion, which would build. It has the default ports of documents, too. */
  private void command() throws IOException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    String text =
        """
        #!/bin/sh
        case ${1:-help} in
          demo | stub | load) main=dev.pinion.workloads.WorkloadMain ;;
          bench | jmh | experiment) main=dev.pinion.benchmarks.BenchmarkMain ;;
          *) main=dev.pinion.bootstrap.PinionMain ;;
        esac
        exec '%s' -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto -Dpinion.log.level=WARN \\
          --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \\
          -cp '%s' "$main" "$@"
        """
            .formatted(java, System.getProperty("java.class.path"));
    Path bin = Files.createDirectories(root().resolve("bin"));
    Path command = Files.writeString(bin.resolve("pinion"), text);
    Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Where the script runs: what it needs of the repository, with free ports. */
  private Path root() {
    return folder.resolve("root");
  }

  private void copyDocuments() throws IOException {
    Path from = Path.of(Page.root());
    try (Stream<Path> files = Files.walk(from.resolve("docs"))) {
      for (Path each : files.filter(file -> COPIED.matcher(file.toString()).find()).toList()) {
        Path to = root().resolve(from.relativize(each));
        Files.createDirectories(Objects.requireNonNull(to.getParent()));
        Files.writeString(to, withFreePorts(Files.readString(each)));
      }
    }
  }
}
