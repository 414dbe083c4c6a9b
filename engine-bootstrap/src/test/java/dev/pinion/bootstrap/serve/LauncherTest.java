package dev.pinion.bootstrap.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The launcher in a repository of empty jars, with a JDK that only prints its command line. */
@DisabledOnOs(OS.WINDOWS)
class LauncherTest {
  private static final List<String> TOOLS =
      List.of("sed", "head", "find", "dirname", "readlink", "cat");

  /** {@code locale} on a system with one locale besides C. */
  private static final String ONE_LOCALE =
      """
      #!/bin/sh
      if [ "$1" = -a ]; then
        echo C
        echo xx.UTF-8
      elif [ "${LC_ALL:-${LC_CTYPE:-$LANG}}" = xx.UTF-8 ]; then
        echo UTF-8
      else
        echo ANSI_X3.4-1968
      fi
      """;

  /** A JVM with the class path of this test, whatever class path is passed to it. */
  private static final String REAL_JAVA =
      """
      #!/bin/sh
      before=
      for each; do
        shift
        [ "$before" != -cp ] || each='CLASS_PATH'
        before=$each
        set -- "$@" "$each"
      done
      exec 'JAVA' "$@"
      """;

  /** A script, as the locale of this test may not be UTF-8 either. */
  private static final String BEYOND_ASCII =
      """
      #!/bin/sh
      /bin/mkdir -p 'défs/日本'
      /bin/cp named.yaml 'défs/日本/ö.yaml'
      exec 'a repository/bin/pinion' run 'défs/日本/ö.yaml' --input '{"name":"Zoë 日本"}'
      """;

  private static final String NAME_GIVEN_BACK =
      """
      document: { dsl: '1.0.3', namespace: t, name: named, version: '1.0.0' }
      do:
        - give: { set: '${ .name }' }
      """;

  @TempDir private Path folder;
  private Path root;
  private Path jdk;
  private Path tools;

  /** Result of a run of the launcher. */
  private record Result(int status, String out, String err) {}

  @BeforeEach
  void buildRepository() throws IOException {
    root = folder.toRealPath().resolve("a repository");
    Files.createDirectories(root.resolve("bin"));
    Path launcher = Path.of(System.getProperty("pinion.root", ".."), "bin", "pinion");
    Files.copy(launcher, root.resolve("bin/pinion"));
    script(root.resolve("bin/pinion"), Files.readString(launcher));
    Files.writeString(root.resolve("pom.xml"), "");
    for (String module : List.of("engine-bootstrap", "workloads", "benchmarks")) {
      Files.createDirectories(root.resolve(module + "/target/lib"));
      Files.createDirectories(root.resolve(module + "/src/main"));
      Files.writeString(root.resolve(module + "/target/" + module + ".jar"), "");
    }
    Files.writeString(root.resolve("engine-bootstrap/target/training.log"), "trained");
    jdk = jdk("jdk", "25.0.1");
    tools = Files.createDirectories(folder.resolve("tools"));
    for (String tool : TOOLS) {
      provide(tool);
    }
  }

  @Test
  void shouldRunEachCommandInItsModule() throws Exception {
    assertTrue(run("topology", "--json").out().contains("bootstrap.PinionMain topology --json"));
    assertTrue(run("demo").out().contains("workloads.WorkloadMain demo"));
    assertTrue(run("bench", "x").out().contains("benchmarks.BenchmarkMain bench x"));
    assertTrue(run().out().endsWith("PinionMain\n"));
  }

  @Test
  void shouldKeepTheParentOfReplicasSmall() throws Exception {
    String out = run("serve", "--port", "0").out();

    for (String flag : List.of("-Xmx64m", "-Xss512k", "-XX:+UseSerialGC", "TieredStopAtLevel=1")) {
      assertTrue(out.contains(flag), out);
    }
  }

  @Test
  void shouldWorkThroughLinksFromAnywhere() throws Exception {
    // given a link to a link, the second one relative
    Path first = Files.createSymbolicLink(folder.resolve("first"), root.resolve("bin/pinion"));
    Path second = Files.createSymbolicLink(folder.resolve("second"), first.getFileName());

    // when
    Result result = run(second, Map.of(), "version");

    // then
    assertEquals(0, result.status(), result.err());
    assertTrue(result.out().contains(root + "/engine-bootstrap/target/engine-bootstrap.jar"));
  }

  @Test
  void shouldPassOnArgumentsAsTheyAreAndTheExitStatus() throws Exception {
    script(jdk.resolve("bin/java"), "#!/bin/sh\nfor last; do :; done\necho \"<$last>\"\nexit 65\n");

    Result result = run("run", "a  b $HOME");

    assertEquals("<a  b $HOME>\n", result.out());
    assertEquals(65, result.status());
  }

  @Test
  void shouldNotTakeAnotherJdk() throws Exception {
    Path old = jdk("old", "17.0.1");

    Result result = run(root.resolve("bin/pinion"), Map.of("JAVA_HOME", old.toString()), "version");

    assertTrue(!result.out().contains("called " + old), result.out());
  }

  @Test
  void shouldSayWhatToInstallToBuild() throws Exception {
    Files.delete(root.resolve("engine-bootstrap/target/engine-bootstrap.jar"));

    Result result = run("version");

    assertEquals(1, result.status());
    assertTrue(result.err().contains("install the package maven"), result.err());
  }

  @Test
  void shouldBuildWhenSourcesAreNewer() throws Exception {
    // given
    Files.writeString(root.resolve("workloads/src/main/New.java"), "");
    Path jar = root.resolve("engine-bootstrap/target/engine-bootstrap.jar");
    Files.setLastModifiedTime(jar, FileTime.fromMillis(0));
    script(tools.resolve("mvn"), "#!/bin/sh\necho \"mvn $*\" >&2\n");
    for (String tool : List.of("touch", "rm", "mkdir")) {
      provide(tool);
    }

    // when
    Result first = run("version");
    Result second = run("version");

    // then
    assertEquals(0, first.status(), first.err());
    String log = Files.readString(root.resolve("target/build.log"));
    assertEquals("mvn -q -B -Dstyle.color=never -Dquickly package\n", log);
    assertFalse(first.err().contains("mvn -q"), first.err());
    assertEquals("", second.err());
  }

  // Field fault 30: the output of Maven is shown when the build fails, and kept
  @Test
  void shouldShowWhyABuildFails() throws Exception {
    // given
    Files.delete(root.resolve("engine-bootstrap/target/engine-bootstrap.jar"));
    script(tools.resolve("mvn"), "#!/bin/sh\necho 'no such class'\nexit 1\n");
    provide("mkdir");

    // when
    Result result = run("version");

    // then
    assertEquals(1, result.status());
    assertEquals("", result.out());
    assertTrue(result.err().contains("no such class\npinion: the build failed"), result.err());
    assertEquals("no such class\n", Files.readString(root.resolve("target/build.log")));
  }

  @Test
  void shouldStartTheParentFromACacheTrainedWithItsOwnFlags() throws Exception {
    // given
    Path target = root.resolve("engine-bootstrap/target");
    Files.delete(target.resolve("engine-bootstrap.jar"));
    script(
        tools.resolve("mvn"), "#!/bin/sh\n: >" + "engine-bootstrap/target/engine-bootstrap.jar\n");
    for (String tool : List.of("touch", "rm", "mkdir")) {
      provide(tool);
    }
    String without = run("serve").out();
    String training = Files.readString(target.resolve("training.log"));
    Files.writeString(target.resolve("parent.aot"), "");

    // when
    String with = run("serve").out();

    // then
    assertFalse(without.contains("AOTCache"), without);
    assertTrue(with.contains("-XX:AOTCache=" + target.resolve("parent.aot")), with);
    assertFalse(run("topology").out().contains("AOTCache"));
    assertTrue(
        training.contains(
            jvmFlags(without) + " -XX:AOTCacheOutput=" + target.resolve("parent.aot")),
        training);
    assertTrue(training.endsWith("PinionMain serve --dry-run --data " + target + "\n"), training);
  }

  /** After {@code mvn package}, which trains nothing. */
  @Test
  void shouldTrainCachesForJarsThatItHasNotBuilt() throws Exception {
    // given
    provide("rm");
    Path target = root.resolve("engine-bootstrap/target");
    Files.setLastModifiedTime(target.resolve("training.log"), FileTime.fromMillis(0));

    // when
    Result without = run(root.resolve("bin/pinion"), Map.of("PINION_AOT", "off"), "topology");
    Result first = run("topology");
    Result second = run("topology");

    // then
    assertEquals("", without.err());
    assertEquals("pinion: training caches for faster starts, once for each build\n", first.err());
    assertTrue(first.out().endsWith("PinionMain topology\n"), first.out());
    assertTrue(
        Files.readString(target.resolve("training.log")).contains("AotCacheTraining"),
        Files.readString(target.resolve("training.log")));
    assertEquals("", second.err());
  }

  @Test
  void shouldLeaveTheCachesAloneWhenAsked() throws Exception {
    // given
    Path launcher = root.resolve("bin/pinion");
    Files.writeString(root.resolve("engine-bootstrap/target/parent.aot"), "");

    // when
    String on = run("serve").out();
    String off = run(launcher, Map.of("PINION_AOT", "off"), "serve").out();

    // then
    assertTrue(on.contains("-XX:AOTCache=") && on.contains("-Dpinion.replica.cache="), on);
    assertFalse(off.contains("AOTCache") || off.contains("replica.cache"), off);
    assertTrue(off.contains("-Xmx64m") && off.endsWith("PinionMain serve\n"), off);
  }

  // Field fault 31: only the encoding of a locale that is not UTF-8 is replaced, by an existing
  // one.
  @ParameterizedTest
  @CsvSource({
    "LC_ALL=C,               [xx.UTF-8][][]",
    "LC_ALL=de_DE.ISO-8859-1,[xx.UTF-8][][]",
    "LANG=de_DE.ISO-8859-1,  [][xx.UTF-8][de_DE.ISO-8859-1]",
    "LC_ALL=,                [][xx.UTF-8][]",
    "LC_ALL=xx.UTF-8,        [xx.UTF-8][][]",
    "LANG=xx.UTF-8,          [][][xx.UTF-8]",
  })
  void shouldSetAnEncodingWhereItIsNotUtf8(String setting, String wanted) throws Exception {
    // given a system that has one locale with UTF-8
    script(tools.resolve("locale"), ONE_LOCALE);
    script(jdk.resolve("bin/java"), "#!/bin/sh\necho \"[$LC_ALL][$LC_CTYPE][$LANG]\"\n");
    String[] words = setting.split("=", -1);

    // when
    Result result = run(root.resolve("bin/pinion"), Map.of(words[0], words[1]), "version");

    // then
    assertEquals(wanted, result.out().strip(), result.err());
  }

  // Field fault 31
  @Test
  void shouldNotDependOnTheCommandLocale() throws Exception {
    script(jdk.resolve("bin/java"), "#!/bin/sh\necho \"[$LC_ALL][$LC_CTYPE][$LANG]\"\n");

    Result result = run(root.resolve("bin/pinion"), Map.of("LC_ALL", "C"), "version");

    assertEquals("[C.UTF-8][][]", result.out().strip(), result.err());
    assertEquals("", result.err());
  }

  // Field fault 31: arguments, names of files and output are UTF-8 in the locale C.
  @Test
  void shouldReadAndWriteUtf8InTheLocaleC() throws Exception {
    // given
    assumeTrue(Files.exists(Path.of("/usr/bin/locale")), "needs the command locale");
    provide("locale");
    script(
        jdk.resolve("bin/java"),
        REAL_JAVA
            .replace("CLASS_PATH", System.getProperty("java.class.path"))
            .replace("JAVA", Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    Files.writeString(folder.resolve("named.yaml"), NAME_GIVEN_BACK);
    script(folder.resolve("beyond-ascii"), BEYOND_ASCII);

    // when
    Result result = run(folder.resolve("beyond-ascii"), Map.of("LC_ALL", "C"));

    // then
    assertEquals("\"Zoë 日本\"", result.out().strip(), result.err());
  }

  private static String jvmFlags(String called) {
    return called.substring(called.indexOf(" -X"), called.indexOf(" -Dpinion"));
  }

  private Result run(String... arguments) throws IOException, InterruptedException {
    return run(root.resolve("bin/pinion"), Map.of(), arguments);
  }

  private Result run(Path launcher, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(launcher.toString());
    builder.command().addAll(List.of(arguments));
    builder.directory(folder.toFile());
    builder.environment().clear();
    builder.environment().put("JAVA_HOME", jdk.toString());
    builder.environment().put("PATH", tools.toString());
    builder.environment().putAll(environment);
    Path errors = folder.resolve("errors.txt");
    Process process = builder.redirectError(errors.toFile()).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Result(process.waitFor(), out, Files.readString(errors));
  }

  private Path jdk(String name, String version) throws IOException {
    Path home = Files.createDirectories(folder.resolve(name));
    Files.createDirectories(home.resolve("bin"));
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    script(home.resolve("bin/java"), "#!/bin/sh\necho \"called $0 $*\"\n");
    return home;
  }

  private static void script(Path file, String text) throws IOException {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private void provide(String tool) throws IOException {
    script(tools.resolve(tool), "#!/bin/sh\nexec " + real(tool) + " \"$@\"\n");
  }

  private static Path real(String tool) {
    for (String place : List.of("/usr/bin/", "/bin/")) {
      if (Files.exists(Path.of(place + tool))) {
        return Path.of(place + tool);
      }
    }
    throw new IllegalStateException("expected " + tool + " in /usr/bin or /bin");
  }
}
