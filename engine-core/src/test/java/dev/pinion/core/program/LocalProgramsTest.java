package dev.pinion.core.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pinion.core.invoker.ServiceCaller;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.Program;
import dev.pinion.core.model.call.ProgramRun;
import dev.pinion.core.stage.ThreadSetup;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalProgramsTest {
  private static final long WAIT_SECONDS = 60;

  /** Limits whose records hold values of 1,024 characters. */
  private static final Map<String, Integer> SHORT_RECORDS =
      Map.of(
          "request.maxBodyBytes", 1_024,
          "definition.maxBytes", 1_024,
          "invoker.maxResponseBytes", 1_024);

  private final BlockingQueue<CallOutcome> outcomes = new LinkedBlockingQueue<>();
  @TempDir private Path folder;
  private @Nullable LocalPrograms opened;

  private LocalPrograms programs(Map<String, Integer> limits, Path... search) {
    Map<String, Integer> all = new HashMap<>(Map.of("program.maxRunning", 2));
    all.putAll(limits);
    List<Path> folders = search.length == 0 ? usual() : List.of(search);
    LocalPrograms made =
        new LocalPrograms(
            EngineLimits.defaults().with(all),
            EnumSet.allOf(Program.Kind.class),
            new ProgramSearch(folders),
            ThreadSetup.NONE);
    opened = made;
    return made;
  }

  private static List<Path> usual() {
    return List.of(Path.of("/usr/bin"), Path.of("/bin"));
  }

  @AfterEach
  void close() {
    if (opened != null) {
      opened.close();
    }
  }

  private static ProgramRun shell(
      String command, ProgramRun.Returns returns, @Nullable Payload stdin, String... arguments) {
    return new ProgramRun(
        new Program.Shell(command), List.of(arguments), new TreeMap<>(), stdin, returns, null);
  }

  private static ProgramRun script(Program.Kind kind, String code, String... arguments) {
    return new ProgramRun(
        new Program.Script(kind, code),
        List.of(arguments),
        new TreeMap<>(),
        Payload.of("in"),
        ProgramRun.Returns.STDOUT,
        null);
  }

  private CallOutcome outcome(LocalPrograms programs, ProgramRun run) throws InterruptedException {
    begin(programs, run);
    return next();
  }

  private ServiceCaller.OngoingCall begin(LocalPrograms programs, ProgramRun run) {
    return programs.caller(Runnable::run).run(run, outcomes::add);
  }

  private CallOutcome next() throws InterruptedException {
    return assertNotNull(outcomes.poll(WAIT_SECONDS, TimeUnit.SECONDS));
  }

  private static <T> T assertNotNull(@Nullable T value) {
    org.junit.jupiter.api.Assertions.assertNotNull(value);
    return value;
  }

  private static String text(CallOutcome outcome) {
    return assertInstanceOf(CallOutcome.Succeeded.class, outcome, outcome.toString())
        .output()
        .json()
        .asText();
  }

  private static WorkflowError error(CallOutcome outcome) {
    return assertInstanceOf(CallOutcome.Failed.class, outcome, outcome.toString()).error();
  }

  @Test
  void shouldReturnWhatTheTaskAsksFor() throws InterruptedException {
    LocalPrograms programs = programs(Map.of());
    String command = "echo out; echo err >&2; exit 3";

    assertEquals(
        Payload.of(3),
        assertInstanceOf(
                CallOutcome.Succeeded.class,
                outcome(programs, shell(command, ProgramRun.Returns.CODE, null)))
            .output());
    assertEquals(
        "{\"code\":3,\"stdout\":\"out\\n\",\"stderr\":\"err\\n\"}",
        assertInstanceOf(
                CallOutcome.Succeeded.class,
                outcome(programs, shell(command, ProgramRun.Returns.ALL, null)))
            .output()
            .json()
            .toString());
    assertEquals("out\n", text(outcome(programs, shell("echo out", out(), null))));
    assertEquals(
        "err\n", text(outcome(programs, shell("echo err >&2", ProgramRun.Returns.STDERR, null))));
    assertEquals(
        new CallOutcome.Succeeded(Payload.NULL),
        outcome(programs, shell("echo out", ProgramRun.Returns.NONE, null)));
  }

  private static ProgramRun.Returns out() {
    return ProgramRun.Returns.STDOUT;
  }

  @Test
  void shouldFailWhenTheExitCodeIsNotZeroAndNobodyLooksAtIt() throws InterruptedException {
    LocalPrograms programs = programs(Map.of());

    WorkflowError error = error(outcome(programs, shell("echo broken >&2; exit 3", out(), null)));

    assertEquals(ErrorType.RUNTIME.uri(), error.type());
    assertEquals("expected run shell to end with exit code 0, found 3: broken", error.detail());
  }

  @Test
  void shouldCutTheLastWordsOfAFailure() throws InterruptedException {
    LocalPrograms programs = programs(Map.of());

    WorkflowError error =
        error(outcome(programs, shell("printf '%0600d' 1 >&2; exit 1", out(), null)));

    assertTrue(String.valueOf(error.detail()).endsWith(": …" + "0".repeat(499) + "1"));
  }

  @Test
  void shouldNeverParseArgumentsAgain() throws InterruptedException {
    LocalPrograms programs = programs(Map.of());
    Path witness = folder.resolve("witness");
    String hostile = "$(touch " + witness + "); `touch " + witness + "` \"' \\ * \n -n";

    CallOutcome outcome =
        outcome(
            programs,
            shell("printf '%s|' \"$#\" \"$1\" \"$2\" \"$3\"", out(), null, hostile, "", "--"));

    assertEquals("3|" + hostile + "||--|", text(outcome));
    assertFalse(Files.exists(witness));
  }

  @Test
  void shouldPassTextAsItIsAndOtherValuesAsJsonToStandardInput() throws InterruptedException {
    LocalPrograms programs = programs(Map.of());

    assertEquals("ä \"x\"", text(outcome(programs, shell("cat", out(), Payload.of("ä \"x\"")))));
    assertEquals("{}", text(outcome(programs, shell("cat", out(), Payload.EMPTY_OBJECT))));
    assertEquals("", text(outcome(programs, shell("cat", out(), null))));
  }

  @Test
  void shouldEndWhenAProgramDoesNotReadItsInput() throws InterruptedException {
    LocalPrograms programs = programs(Map.of());

    CallOutcome outcome =
        outcome(programs, shell("exec true", out(), Payload.of("x".repeat(1 << 20))));

    assertEquals("", text(outcome));
  }

  @Test
  void shouldHideTheEnvironmentOfTheEngine() throws InterruptedException {
    LocalPrograms programs = programs(Map.of());
    ProgramRun run =
        new ProgramRun(
            new Program.Shell("env"),
            List.of(),
            new TreeMap<>(Map.of("GIVEN", "a b")),
            null,
            out(),
            null);

    List<String> names =
        text(outcome(programs, run)).lines().map(line -> line.replaceFirst("=.*", "")).toList();

    Set<String> known =
        Set.of("PATH", "LANG", "HOME", "TMPDIR", "GIVEN", "PWD", "_", "OLDPWD", "SHLVL");
    assertTrue(known.containsAll(names), names.toString());
    assertTrue(names.contains("GIVEN"));
  }

  @Test
  void shouldNameTheRunAndItsAttempt() throws InterruptedException {
    LocalPrograms programs = programs(Map.of());
    ProgramRun run =
        shell("echo $PINION_IDEMPOTENCY_KEY $PINION_ATTEMPT", out(), null)
            .withIdempotencyKey("i-t7", 2);

    assertEquals("i-t7 2\n", text(outcome(programs, run)));
  }

  @Test
  void shouldDeleteTheFolderOfARun() throws InterruptedException {
    LocalPrograms programs = programs(Map.of());

    String pwd =
        text(outcome(programs, shell("mkdir -p a/b; touch a/b/c; ln -s / l; pwd", out(), null)));

    Path gone = Path.of(pwd.strip());
    opened = null;
    programs.close(); // waits for nothing, but the folder goes before the next run
    awaitGone(gone);
    assertTrue(Files.isDirectory(Path.of("/usr")));
  }

  private static void awaitGone(Path path) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    while (Files.exists(path) && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    assertFalse(Files.exists(path));
  }

  @Test
  void shouldRunScriptsInPython() throws InterruptedException {
    LocalPrograms programs = programs(Map.of());
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "needs python3");
    String code = "import sys\nprint(sys.stdin.read(), sys.argv[1:], 'ß')\n";

    CallOutcome outcome = outcome(programs, script(Program.Kind.PYTHON, code, "a b", "'; exit 1"));

    assertEquals("in ['a b', \"'; exit 1\"] ß\n", text(outcome));
  }

  @Test
  void shouldRunScriptsInJavaScript() throws InterruptedException {
    LocalPrograms programs = programs(Map.of("program.maxMemoryMebibytes", 2_048));
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/node")), "needs node");
    String code =
        """
        import { readFileSync } from 'node:fs';
        const [_, __, first] = process.argv;
        console.log(readFileSync(process.stdin.fd, 'utf8'), first);
        """;

    CallOutcome outcome = outcome(programs, script(Program.Kind.JAVASCRIPT, code, "a b"));

    assertEquals("in a b\n", text(outcome));
  }

  @Test
  void shouldSayWhatThisMachineLacks() throws InterruptedException {
    LocalPrograms programs = programs(Map.of(), folder);

    WorkflowError error = error(outcome(programs, script(Program.Kind.PYTHON, "")));

    assertEquals(ErrorType.CONFIGURATION.uri(), error.type());
    assertEquals("expected python3 or python in " + folder + ", found none", error.detail());
  }

  @Test
  void shouldLeaveNoFolderWhenTheProgramIsMissing() throws Exception {
    LocalPrograms programs = programs(Map.of(), folder);
    String code = "# only in " + folder;

    assertEquals(
        ErrorType.CONFIGURATION.uri(),
        error(outcome(programs, script(Program.Kind.PYTHON, code))).type());

    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    while (isLeft(code) && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    assertFalse(isLeft(code));
  }

  /** Whether a folder of a run still has a script. */
  private static boolean isLeft(String code) throws IOException {
    try (DirectoryStream<Path> folders =
        Files.newDirectoryStream(
            Path.of(System.getProperty("java.io.tmpdir")), ProgramCommands.FOLDER + "*")) {
      for (Path each : folders) {
        Path script = each.resolve("script.py");
        if (Files.exists(script) && Files.readString(script).equals(code)) {
          return true;
        }
      }
      return false;
    } catch (NoSuchFileException e) { // another run has ended meanwhile
      return isLeft(code);
    }
  }

  @Test
  void shouldKillAProgramThatWritesTooMuch() throws InterruptedException {
    LocalPrograms programs = programs(Map.of("program.maxOutputBytes", 1_024));

    assertEquals(
        1_024,
        text(outcome(programs, shell("head -c 1024 /dev/zero | tr '\\0' x", out(), null)))
            .length());
    assertEquals(
        "expected run shell to write at most 1024 bytes to each output (program.maxOutputBytes),"
            + " found more",
        error(outcome(programs, shell("exec yes", out(), null))).detail());
    assertEquals(
        ErrorType.RUNTIME.uri(),
        error(outcome(programs, shell("yes >&2", ProgramRun.Returns.ALL, null))).type());
    assertEquals(2, programs.kills().count(ProgramKills.Reason.OUTPUT));
  }

  @Test
  void shouldFailWhenNoRecordOfTheJournalHoldsTheOutput() throws InterruptedException {
    LocalPrograms programs = programs(SHORT_RECORDS);

    assertEquals(
        1_000,
        text(outcome(programs, shell("head -c 1000 /dev/zero | tr '\\0' x", out(), null)))
            .length());
    assertEquals(
        "expected the output of run shell to have at most 1024 bytes for a record of the journal"
            + " (request.maxBodyBytes, invoker.maxResponseBytes), found more",
        error(outcome(programs, shell("head -c 1100 /dev/zero | tr '\\0' x", out(), null)))
            .detail());
  }

  @Test
  void shouldNotBeginADetachedProgramWhoseInputNoRecordHolds() throws InterruptedException {
    LocalPrograms programs = programs(SHORT_RECORDS);
    Path witness = folder.resolve("witness");
    ProgramRun run =
        new ProgramRun(
            new Program.Shell("touch \"$1\""),
            List.of(witness.toString()),
            new TreeMap<>(),
            null,
            out(),
            Payload.of("x".repeat(1_024)));

    assertEquals(ErrorType.RUNTIME.uri(), error(outcome(programs, run)).type());
    assertEquals("next\n", text(outcome(programs, shell("echo next", out(), null))));
    assertFalse(Files.exists(witness));
  }

  @Test
  void shouldKillAProgramThatTakesTooLongWithAllThatItStarted() throws Exception {
    LocalPrograms programs = programs(Map.of("program.timeoutSeconds", 1));
    Path pid = folder.resolve("pid");

    WorkflowError error =
        error(
            outcome(
                programs,
                shell("sleep 1000 & echo $! > \"$1\"; wait", out(), null, pid.toString())));

    assertEquals(ErrorType.TIMEOUT.uri(), error.type());
    awaitDead(pid);
    assertEquals(1, programs.kills().count(ProgramKills.Reason.TIMEOUT));
  }

  @Test
  void shouldKillWhatAnEndedProgramLeftBehind() throws Exception {
    LocalPrograms programs = programs(Map.of());
    Path pid = folder.resolve("pid");

    CallOutcome outcome =
        outcome(programs, shell("sleep 1000 & echo $! > \"$1\"; echo end", out(), null, "" + pid));

    assertEquals("end\n", text(outcome));
    awaitDead(pid);
  }

  @Test
  void shouldKillWhatAnEndedProgramLeftBehindInAnotherGroup() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/timeout")), "needs timeout");
    LocalPrograms programs = programs(Map.of());
    Path pid = folder.resolve("pid");
    String command =
        """
        timeout 1000 sh -c 'echo $$ > "$0"; exec sleep 1000' "$1" > /dev/null 2>&1 &
        while [ ! -s "$1" ]; do :; done
        echo end
        """;

    assertEquals("end\n", text(outcome(programs, shell(command, out(), null, "" + pid))));
    awaitDead(pid);
  }

  private static void awaitDead(Path pid) throws IOException {
    Optional<ProcessHandle> left = ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()));
    left.ifPresent(process -> process.onExit().join());
  }

  @Test
  void shouldKillACancelledProgramAndReportNothing() throws Exception {
    LocalPrograms programs = programs(Map.of());
    Path pipe = folder.resolve("pid");

    ServiceCaller.OngoingCall call =
        begin(
            programs,
            shell(
                "echo $$ > \"$1.new\"; mv \"$1.new\" \"$1\"; exec sleep 1000",
                out(),
                null,
                "" + pipe));
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    while (!Files.exists(pipe) && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    assertEquals("the end of run shell", call.waitsFor());
    call.cancel();

    awaitDead(pipe);
    assertEquals(1, programs.kills().count(ProgramKills.Reason.CANCELLED));
    assertEquals("next\n", text(outcome(programs, shell("echo next", out(), null))));
    assertNull(outcomes.poll());
  }

  @Test
  void shouldForgetACancelledProgramThatHasNotBegun() throws Exception {
    LocalPrograms programs = programs(Map.of("program.maxRunning", 1));
    Path go = folder.resolve("go");
    begin(programs, shell("while [ ! -e \"$1\" ]; do :; done; echo first", out(), null, "" + go));
    ServiceCaller.OngoingCall second = begin(programs, shell("echo second", out(), null));
    assertEquals(1, programs.waiting());

    second.cancel();

    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    while (programs.waiting() > 0 && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    assertEquals(0, programs.waiting());
    Files.createFile(go);
    assertEquals("first\n", text(next()));
    assertNull(outcomes.poll());
    assertEquals(0, programs.kills().count(ProgramKills.Reason.CANCELLED), "it had not begun");
  }

  @Test
  void shouldBoundTheMemoryOfAProgram() throws InterruptedException {
    LocalPrograms programs = programs(Map.of("program.maxMemoryMebibytes", 64));

    assertEquals("65536\n", text(outcome(programs, shell("ulimit -d", out(), null))));
  }

  @Test
  void shouldBoundTheFilesOfAProgram() throws InterruptedException {
    LocalPrograms programs = programs(Map.of("program.maxFileMebibytes", 1));
    String fits = "head -c 1048576 /dev/zero > a && echo fits; ";
    String more = "head -c 1048577 /dev/zero > b || wc -c < b";

    assertEquals("fits\n1048576\n", text(outcome(programs, shell(fits + more, out(), null))));
  }

  @Test
  void shouldRunAProgramWithoutLimits() throws InterruptedException {
    LocalPrograms programs =
        programs(Map.of("program.maxFileMebibytes", 0, "program.maxMemoryMebibytes", 0));

    assertEquals("a b\n", text(outcome(programs, shell("echo \"$1\"", out(), null, "a b"))));
  }

  @Test
  void shouldRefuseKindsThatAreNotAllowed() {
    try (LocalPrograms none =
        new LocalPrograms(
            EngineLimits.defaults(), Set.of(), ProgramSearch.of(null), ThreadSetup.NONE)) {
      begin(none, shell("echo", out(), null));

      WorkflowError error = error(assertNotNull(outcomes.poll()));
      assertEquals(ErrorType.AUTHORIZATION.uri(), error.type());
      assertEquals(
          "expected a program that the setting programs allows, found shell", error.detail());
    }
  }

  @Test
  void shouldNotWaitForADetachedProgram() throws Exception {
    LocalPrograms programs = programs(Map.of());
    Path go = folder.resolve("go");
    Path done = folder.resolve("done");
    ProgramRun run =
        new ProgramRun(
            new Program.Shell("while [ ! -e \"$1\" ]; do :; done; mkdir \"$2\"; exit 1"),
            List.of(go.toString(), done.toString()),
            new TreeMap<>(),
            null,
            out(),
            Payload.of("input"));

    assertEquals("input", text(outcome(programs, run)));
    assertFalse(Files.exists(done));
    Files.createFile(go);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    while (!Files.exists(done) && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    assertTrue(Files.exists(done));
    assertNull(outcomes.poll());
  }

  @Test
  void shouldKillProgramsWhenTheEngineStops() throws Exception {
    LocalPrograms programs = programs(Map.of());
    Path pid = folder.resolve("pid");
    begin(
        programs,
        shell(
            "echo $$ > \"$1.new\"; mv \"$1.new\" \"$1\"; exec sleep 1000", out(), null, "" + pid));
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    while (!Files.exists(pid) && System.nanoTime() < end) {
      Thread.onSpinWait();
    }

    programs.close();

    awaitDead(pid);
  }

  @Test
  void shouldGiveAContainerEngineItsCommandLine() throws Exception {
    Path engine = folder.resolve("docker");
    Files.writeString(
        engine,
        "#!/bin/sh\nif [ \"$1\" = run ]; then printf '%s\\n' \"$@\"; echo \"env $A $PATH\"; fi\n");
    Files.setPosixFilePermissions(engine, PosixFilePermissions.fromString("rwx------"));
    LocalPrograms programs = programs(Map.of(), folder, Path.of("/bin"));
    ProgramRun run =
        new ProgramRun(
            new Program.Container(
                "alpine:3",
                "echo $1",
                new Program.ContainerName(null, "flow-", ".docs-my task"),
                Map.of("8080", "80"),
                Map.of("/srv", "/data"),
                Program.Pull.ALWAYS,
                0),
            List.of("a b"),
            new TreeMap<>(Map.of("A", "x y", "PATH", "/own")),
            Payload.of("in"),
            out(),
            null);

    String told = text(outcome(programs, run.withIdempotencyKey("i-t1", 1)));
    String again = text(outcome(programs, run.withIdempotencyKey("i-t1", 2)));

    assertEquals(
        """
        run
        --name
        flow-i-t1.docs-my_task
        --cidfile
        container-id
        --pull
        always
        --interactive
        --memory
        512m
        --ulimit
        fsize=1073741824
        -p
        8080:80
        -v
        /srv:/data
        -e
        A
        -e
        PATH=/own
        -e
        PINION_ATTEMPT
        -e
        PINION_IDEMPOTENCY_KEY
        alpine:3
        sh
        -c
        echo $1
        sh
        a b
        env x y %s:/bin
        """
            .formatted(folder),
        told.replaceAll("(?m)^/.*/container-id$", "container-id"));
    assertTrue(again.contains("\nflow-i-t1-2.docs-my_task\n"), again);
  }

  @Test
  void shouldNotLetVariablesOfAContainerSteerItsEngine() throws Exception {
    engine("printf '%s\\n' \"$@\"; echo \"steered $CONTAINERS_TEST $LD_LIBRARY_PATH\"");
    LocalPrograms programs = programs(Map.of(), folder, Path.of("/bin"));
    Map<String, String> variables = Map.of("CONTAINERS_TEST", "here", "LD_LIBRARY_PATH", "/own");

    String told = text(outcome(programs, container("app", variables, Program.Container.NEVER)));

    assertTrue(told.contains("\n-e\nCONTAINERS_TEST=here\n-e\nLD_LIBRARY_PATH=/own\n"), told);
    assertTrue(told.endsWith("steered  \n"), told);
  }

  @Test
  void shouldRemoveNoContainerButItsOwn() throws Exception {
    Path log = folder.resolve("log");
    Path taken = Files.createFile(folder.resolve("taken"));
    engine(
        """
        case "$1" in
          run)
            if [ -e "${0%/*}/taken" ]; then exit 125; fi
            while [ "$1" != --cidfile ]; do shift; done
            echo own > "$2" ;;
          *) echo "$*" >> "${0%/*}/log" ;;
        esac
        """);
    LocalPrograms programs = programs(Map.of(), folder, Path.of("/bin"));
    ProgramRun run = container("app", Map.of(), 0);

    assertTrue(String.valueOf(error(outcome(programs, run)).detail()).endsWith("found 125"));
    Files.delete(taken);
    assertEquals("", text(outcome(programs, run)));

    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    while (!(Files.exists(log) && Files.size(log) > 0) && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    assertEquals("rm --force own\n", Files.readString(log));
  }

  @Test
  void shouldKillTheContainerOfACancelledRun() throws Exception {
    engine(
        """
        here=${0%/*}
        case "$1" in
          run)
            while [ "$1" != --cidfile ]; do shift; done
            printf own > "$2"
            echo begun > "$here/begun"
            exec sleep 1000 ;;
          *)
            { echo "$*"; env; } > "$here/log.$$"
            mv "$here/log.$$" "$here/log" ;;
        esac
        """);
    LocalPrograms programs = programs(Map.of(), folder, Path.of("/bin"), Path.of("/usr/bin"));
    ServiceCaller.OngoingCall call =
        begin(programs, container("app", Map.of(), Program.Container.NEVER));
    awaitContent(folder.resolve("begun"));
    call.cancel();

    Path log = folder.resolve("log");
    awaitContent(log);
    List<String> lines = Files.readAllLines(log);
    assertEquals("kill own", lines.getFirst());
    List<String> known =
        List.of("CONTAINER", "DOCKER_", "HOME", "OLDPWD=", "PATH=", "PWD=", "SHLVL=", "XDG_", "_=");
    assertTrue(
        lines.stream().skip(1).allMatch(line -> known.stream().anyMatch(line::startsWith)),
        lines::toString);
    assertNull(outcomes.poll());
  }

  private static void awaitContent(Path file) throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    while (!(Files.exists(file) && Files.size(file) > 0) && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
  }

  /** Puts a container engine there that is a script of the shell. */
  private void engine(String script) throws IOException {
    Path engine = folder.resolve("docker");
    Files.writeString(engine, "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(engine, PosixFilePermissions.fromString("rwx------"));
  }

  private static ProgramRun container(
      String name, Map<String, String> variables, long removeAfterNanos) {
    return new ProgramRun(
        new Program.Container(
            "alpine:3",
            null,
            new Program.ContainerName(name, "", ""),
            Map.of(),
            Map.of(),
            Program.Pull.ALWAYS,
            removeAfterNanos),
        List.of(),
        new TreeMap<>(variables),
        null,
        out(),
        null);
  }

  @Test
  void shouldFindProgramsInAbsoluteFoldersOnly() {
    assertEquals(
        List.of(Path.of("/bin"), Path.of("/opt/x")),
        ProgramSearch.of("/bin:.:relative::/opt/x").folders());
    assertEquals(3, ProgramSearch.of(null).folders().size());
  }
}
