package dev.pinion.bootstrap.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * A parent with its replicas in separate processes, with the command line of {@code pinion serve},
 * and requests over HTTP. Every request has a separate connection, so that consecutive ones go to
 * different replicas.
 */
public final class ServedEngine implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 60_000;
  private static final long STOP_SECONDS = 40;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String TRAINING_LOG = "training.log";

  /** Options of the JVMs of replicas, which hardly live longer than the JVM takes to optimise. */
  private static final String REPLICA_OPTIONS = System.getProperty("pinion.replicaOptions", "");

  private final Process parent;
  private final JsonNode ready;

  /**
   * A response.
   *
   * @param fields header fields, names in lower case
   */
  record Answer(int status, Map<String, String> fields, String body) {
    JsonNode json() throws IOException {
      return JSON.readTree(body);
    }

    String field(String name) {
      return fields.getOrDefault(name, "");
    }
  }

  private ServedEngine(Process parent, JsonNode ready) {
    this.parent = parent;
    this.ready = ready;
  }

  /**
   * The program to run.
   *
   * @param classPath class path of parent and replicas
   * @param parentCache options of the JVM of a parent that starts from a cache
   * @param replicaCache the cache from which replicas start
   */
  record Program(String classPath, List<String> parentCache, Path replicaCache) {
    private static @Nullable Program packaged;

    /**
     * The program of {@code bin/pinion}: from jars, parent and replicas from start-up caches.
     * Created once for all tests; the tests themselves run from folders of classes, from which no
     * JVM creates a cache.
     */
    static synchronized Program packaged() throws IOException {
      if (packaged == null) {
        try {
          packaged = packedOnce();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new InterruptedIOException("expected a start-up cache");
        }
      }
      return packaged;
    }

    /** The JVMs of the tests share it: the first one packs, while the others wait. */
    private static Program packedOnce() throws IOException, InterruptedException {
      Path temporary = Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath();
      Path folder = Files.createDirectories(temporary.resolve("packaged-" + fingerprint()));
      try (FileChannel file =
              FileChannel.open(
                  folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock _ = file.lock()) {
        return pack(folder);
      }
    }

    private static List<String> ownClassPath() {
      return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
          .filter(each -> !each.isEmpty()) // which would be the working directory
          .toList();
    }

    /** Tells builds apart, by names, times and sizes of what is on the class path. */
    private static String fingerprint() throws IOException {
      CRC32 sum = new CRC32();
      sum.update(REPLICA_OPTIONS.getBytes(StandardCharsets.UTF_8));
      for (String each : ownClassPath()) {
        Path entry = Path.of(each);
        if (Files.exists(entry)) {
          try (Stream<Path> files = Files.walk(entry)) {
            for (Path file : files.sorted().toList()) {
              String line = file + " " + Files.getLastModifiedTime(file) + " " + Files.size(file);
              sum.update(line.getBytes(StandardCharsets.UTF_8));
            }
          }
        }
      }
      return Long.toHexString(sum.getValue());
    }

    private static Program pack(Path folder) throws IOException, InterruptedException {
      Path packed = folder.resolve("packed");
      boolean isPacked = Files.exists(packed);
      List<String> jars = new ArrayList<>();
      for (String each : ownClassPath()) {
        String jar = each;
        if (Files.isDirectory(Path.of(each))) {
          jar = folder.resolve(jars.size() + ".jar").toString();
          if (!isPacked) {
            pack(jar, each);
          }
        }
        jars.add(jar);
      }
      String classPath = String.join(File.pathSeparator, jars);
      Path parent = folder.resolve("parent.aot");
      Path replica = folder.resolve("replica.aot");
      if (!isPacked) {
        trainReplica(classPath, replica);
        trainParent(classPath, parent);
        Files.createFile(packed);
      }
      List<String> parentCache =
          Files.exists(parent) ? List.of("-XX:AOTCache=" + parent, "-Xlog:aot*=off") : List.of();
      return new Program(classPath, parentCache, replica);
    }

    private static void pack(String jar, String classes) {
      int status =
          ToolProvider.findFirst("jar")
              .orElseThrow()
              .run(System.out, System.err, "--create", "--file", jar, "-C", classes, ".");
      assertEquals(0, status, jar);
    }

    private static void trainReplica(String classPath, Path cache)
        throws IOException, InterruptedException {
      List<String> words = new ArrayList<>(java(classPath));
      words.addAll(List.of("dev.pinion.bootstrap.serve.AotCacheTraining", cache.toString()));
      if (!REPLICA_OPTIONS.isEmpty()) {
        words.addAll(List.of(REPLICA_OPTIONS.split(" ", -1)));
      }
      if (!isTrained(words, cache)) {
        throw new IOException(
            "expected a start-up cache, found none: "
                + Files.readString(cache.resolveSibling(TRAINING_LOG)));
      }
    }

    /** Without this cache a parent takes longer to start. */
    private static void trainParent(String classPath, Path cache)
        throws IOException, InterruptedException {
      List<String> words = new ArrayList<>(java(classPath));
      words.addAll(1, List.of("-XX:AOTCacheOutput=" + cache, "-Xlog:aot*=error"));
      words.addAll(List.of("dev.pinion.bootstrap.PinionMain", "serve", "--dry-run"));
      words.addAll(List.of("--data", cache.resolveSibling("dry-run").toString()));
      if (!isTrained(words, cache)) {
        Files.deleteIfExists(cache);
      }
    }

    private static boolean isTrained(List<String> words, Path cache)
        throws IOException, InterruptedException {
      Files.deleteIfExists(cache);
      Process process =
          new ProcessBuilder(words)
              .redirectErrorStream(true)
              .redirectOutput(cache.resolveSibling(TRAINING_LOG).toFile())
              .start();
      return process.waitFor() == 0 && Files.exists(cache);
    }
  }

  /** The beginning of the command line of a parent. */
  static List<String> java(String classPath) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-Xmx64m",
        "-Xss512k",
        "--enable-native-access=ALL-UNNAMED",
        "--sun-misc-unsafe-memory-access=allow",
        "-cp",
        classPath);
  }

  /** Starts an engine and returns when it serves. */
  public static ServedEngine start(Path data, String... options) throws IOException {
    return startUnder(List.of(), data, options);
  }

  /**
   * Starts an engine and returns when it serves.
   *
   * @param prefix a command that executes the following one in its place
   */
  static ServedEngine startUnder(List<String> prefix, Path data, String... options)
      throws IOException {
    Program program = Program.packaged();
    List<String> command = new ArrayList<>(java(program.classPath()));
    command.addAll(1, program.parentCache());
    command.add(1, "-Dpinion.replica.cache=" + program.replicaCache());
    command.addAll(0, prefix);
    command.add("dev.pinion.bootstrap.PinionMain");
    command.addAll(List.of("serve", "--json", "--port", "0", "--admin-port", "0"));
    command.addAll(List.of("--data", data.toString()));
    command.addAll(List.of(options));
    if (!command.contains("--heap")) {
      command.addAll(List.of("--heap", "256m"));
    }
    if (!REPLICA_OPTIONS.isEmpty()) {
      command.add("--jvm-options=" + REPLICA_OPTIONS);
    }
    if (!command.contains("--history")) {
      command.addAll(List.of("--history", "none")); // one process less where it is not the subject
    }
    Process parent = new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(parent.getInputStream(), StandardCharsets.UTF_8));
    String line = out.readLine();
    if (line == null) {
      throw new IOException("expected an engine that serves, found that it ended");
    }
    return new ServedEngine(parent, JSON.readTree(line));
  }

  /** Address for clients. */
  URI uri() {
    return URI.create(ready.path("url").asText());
  }

  /** Address of the parent's own interface. */
  public URI admin() {
    return URI.create(ready.path("admin").asText());
  }

  Process parent() {
    return parent;
  }

  /** The processes of the replicas. */
  List<ProcessHandle> replicas() {
    return parent.children().toList();
  }

  /** The parent's status of its replicas, by slot. */
  JsonNode replicaStates() throws IOException {
    return ask("GET", admin().resolve("/admin/v1/replicas"), null).json().path("replicas");
  }

  Answer get(String path, String... fields) throws IOException {
    return ask("GET", uri().resolve(path), null, fields);
  }

  public Answer post(String path, String type, String body) throws IOException {
    return ask("POST", uri().resolve(path), body, "Content-Type", type);
  }

  /** Sends a request; fields are names and values in turn. */
  static Answer ask(String method, URI uri, @Nullable String body, String... fields)
      throws IOException {
    HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
    connection.setRequestMethod(method);
    connection.setConnectTimeout(TIMEOUT_MILLIS);
    connection.setReadTimeout(TIMEOUT_MILLIS);
    connection.setInstanceFollowRedirects(false);
    connection.setRequestProperty("Connection", "close");
    for (int i = 0; i < fields.length; i += 2) {
      connection.setRequestProperty(fields[i], fields[i + 1]);
    }
    if (body != null) {
      connection.setDoOutput(true);
      connection.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
    }
    int status = connection.getResponseCode();
    Map<String, String> answered = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    connection
        .getHeaderFields()
        .forEach(
            (name, values) -> {
              if (name != null) {
                answered.put(name, String.join(", ", values));
              }
            });
    try (var stream = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
      String text = stream == null ? "" : new String(stream.readAllBytes(), StandardCharsets.UTF_8);
      return new Answer(status, answered, text);
    }
  }

  /** Stops the engine like an operator, and kills remaining processes after some time. */
  @Override
  public void close() {
    List<ProcessHandle> family = new ArrayList<>(replicas());
    parent.destroy();
    if (!parent
        .onExit()
        .completeOnTimeout(parent, STOP_SECONDS, TimeUnit.SECONDS)
        .join()
        .isAlive()) {
      return;
    }
    parent.destroyForcibly();
    family.forEach(ProcessHandle::destroyForcibly);
  }
}
