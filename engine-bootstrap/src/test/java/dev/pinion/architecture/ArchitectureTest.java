package dev.pinion.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Dependencies that packages may have. Hosted here because this module sees all of the engine. */
class ArchitectureTest {
  private static final String BASE = "dev.pinion.";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.pinion");

  /**
   * By package of core, the packages of core that it may import. Packages that are not listed fail
   * the test.
   */
  private static final Map<String, Set<String>> CORE =
      Map.ofEntries(
          Map.entry("model", Set.of()),
          Map.entry("codec", Set.of("limits", "model")),
          Map.entry("xml", Set.of("model")),
          Map.entry("limits", Set.of("model")),
          Map.entry("message", Set.of("binding", "model")),
          Map.entry("graph", Set.of("model", "schedule")),
          Map.entry("difference", Set.of("model")),
          Map.entry("diagram", Set.of("model")),
          // ports of adapters, which add metrics to those of the engine
          Map.entry("spi", Set.of("metrics", "model")),
          // the log of events is a port for whoever stores it; kernels are met at core.spi
          Map.entry("events", Set.of("codec", "limits", "metrics", "model", "spi")),
          Map.entry("binding", Set.of("metrics", "model")),
          Map.entry("metrics", Set.of()),
          Map.entry("interception", Set.of("metrics", "model", "spi")),
          Map.entry("jq", Set.of("limits", "model")),
          Map.entry("template", Set.of("jq", "limits", "model")),
          Map.entry("schema", Set.of("limits", "model")),
          Map.entry("document", Set.of("codec", "limits", "model")),
          Map.entry("openapi", Set.of("document", "template")),
          Map.entry(
              "language",
              Set.of(
                  "binding",
                  "codec",
                  "document",
                  "graph",
                  "jq",
                  "limits",
                  "model",
                  "openapi",
                  "protobuf",
                  "schedule",
                  "schema",
                  "template")),
          Map.entry(
              "definition",
              Set.of("binding", "codec", "graph", "language", "limits", "model", "secret", "spi")),
          // values of secrets, which only the Invoker may ask for, and deployments may look for
          Map.entry("secret", Set.of("codec", "limits", "model")),
          // protocols without I/O, so that they are tested without servers
          Map.entry("authentication", Set.of("codec", "limits", "model")),
          Map.entry(
              "resource",
              Set.of(
                  "codec",
                  "interception",
                  "invoker",
                  "language",
                  "limits",
                  "loop",
                  "model",
                  "stage")),
          Map.entry("stage", Set.of()),
          Map.entry("loop", Set.of("model", "stage")),
          Map.entry("journal", Set.of("codec", "limits", "message", "metrics", "model", "stage")),
          Map.entry("coldstore", Set.of("journal", "limits", "model")),
          Map.entry(
              "kernel",
              Set.of(
                  "binding",
                  "codec",
                  "coldstore",
                  "graph",
                  "journal",
                  "limits",
                  "message",
                  "metrics",
                  "model",
                  "schedule",
                  "spi",
                  "stage")),
          Map.entry("partition", Set.of("journal", "model")),
          Map.entry(
              "recovery",
              Set.of(
                  "binding",
                  "codec",
                  "coldstore",
                  "graph",
                  "journal",
                  "kernel",
                  "limits",
                  "message",
                  "model",
                  "partition",
                  "spi")),
          Map.entry(
              "snapshot",
              Set.of(
                  "journal", "kernel", "limits", "loop", "model", "recovery", "settings", "stage")),
          Map.entry(
              "migration",
              Set.of(
                  "codec",
                  "coldstore",
                  "journal",
                  "kernel",
                  "limits",
                  "message",
                  "model",
                  "partition",
                  "recovery",
                  "settings",
                  "snapshot",
                  "spi",
                  "stage")),
          Map.entry("http", Set.of("codec", "limits", "metrics", "model", "stage")),
          Map.entry("peer", Set.of("http", "limits", "model", "partition", "stage")),
          Map.entry(
              "api",
              Set.of(
                  "binding",
                  "codec",
                  "diagram",
                  "difference",
                  "http",
                  "interception",
                  "limits",
                  "message",
                  "model",
                  "partition",
                  "peer",
                  "spi",
                  "stage")),
          Map.entry(
              "invoker",
              Set.of(
                  "authentication",
                  "binding",
                  "codec",
                  "interception",
                  "limits",
                  "message",
                  "metrics",
                  "model",
                  "secret",
                  "spi",
                  "stage",
                  "xml")),
          Map.entry("program", Set.of("invoker", "limits", "model", "stage")),
          Map.entry("protobuf", Set.of("model")),
          Map.entry("schedule", Set.of("model")),
          Map.entry(
              "settings",
              Set.of(
                  "binding",
                  "diagram",
                  "graph",
                  "http",
                  "interception",
                  "invoker",
                  "limits",
                  "loop",
                  "model",
                  "partition",
                  "secret",
                  "spi",
                  "stage")),
          Map.entry(
              "engine",
              Set.of(
                  "api",
                  "codec",
                  "coldstore",
                  "definition",
                  "graph", // tells when schedules change
                  "http",
                  "interception",
                  "invoker",
                  "journal",
                  "kernel",
                  "limits",
                  "loop",
                  "message",
                  "metrics",
                  "migration",
                  "model",
                  "partition",
                  "peer",
                  "program",
                  "recovery",
                  "settings",
                  "snapshot",
                  "spi",
                  "stage")));

  private static final Set<String> OR_TOOLS = Set.of(BASE + "broker.lp.OrToolsSolver");

  static Stream<String> corePackages() {
    return CORE.keySet().stream().sorted();
  }

  @ParameterizedTest
  @MethodSource("corePackages")
  void shouldImportOnlyWhatItMay(String name) {
    Set<String> allowed = new TreeSet<>(CORE.getOrDefault(name, Set.of()));
    allowed.add(name);
    String[] packages =
        allowed.stream().map(each -> BASE + "core." + each + "..").toArray(String[]::new);
    check(
        noClasses()
            .that(resideInAPackage(BASE + "core." + name + ".."))
            .should()
            .dependOnClassesThat(
                resideInAPackage("dev.pinion..").and(not(resideInAnyPackage(packages))))
            .because(
                "core."
                    + name
                    + " builds on "
                    + allowed
                    + " only; move what is shared down, or put a port into core.spi"));
  }

  @Test
  void shouldKnowEveryPackageOfCore() {
    Set<String> found =
        CLASSES.stream()
            .map(JavaClass::getPackageName)
            .filter(name -> name.startsWith(BASE + "core."))
            .map(name -> name.substring((BASE + "core.").length()))
            .map(name -> name.replaceFirst("\\..*", ""))
            .collect(Collectors.toCollection(TreeSet::new));

    assertEquals(new TreeSet<>(CORE.keySet()), found);
  }

  @Test
  void shouldKeepHandlersAndBrokerOnPorts() {
    onlyCore("handlers", "codec", "interception", "limits", "metrics", "model", "spi");
    onlyCore("handlers.builtin", "codec", "limits", "model", "schema", "xml");
    onlyCore("broker", "binding", "codec", "model", "model.call", "spi");
    onlyHandlers("builtin", "api", "sql");
    check(
        noClasses()
            .that(resideInAPackage(BASE + "handlers.."))
            .should()
            .dependOnClassesThat(resideInAPackage(BASE + "broker.."))
            .because("neither of the two knows the other"));
    check(
        noClasses()
            .that(resideInAPackage(BASE + "broker.."))
            .should()
            .dependOnClassesThat(resideInAPackage(BASE + "handlers.."))
            .because("neither of the two knows the other"));
  }

  @Test
  void shouldKeepTheLayersOfHandlers() {
    onlyHandlers("api");
    onlyHandlers("plan", "api");
    onlyHandlers("run", "api", "plan");
    onlyHandlers("config", "api", "plan");
    onlyHandlers("remote", "api", "config", "sql");
    onlyHandlers("sql");
    onlyHandlers("servlet", "api");
    check(
        noClasses()
            .that(
                not(resideInAPackage(BASE + "handlers.servlet"))
                    .or(simpleName("ServletFilterFactory")))
            .should()
            .dependOnClassesThat(resideInAPackage("jakarta.."))
            .because("who hosts no servlet filters need not have their interface"));
    check(
        noClasses()
            .that(
                not(
                    resideInAnyPackage(
                        BASE + "handlers.remote.transport", BASE + "bootstrap.client.asyncapi")))
            .should()
            .dependOnClassesThat(resideInAPackage("io.nats.."))
            .because("NATS is a transport of handlers, and of messages; no one else knows it"));
    check(
        noClasses()
            .that(not(resideInAPackage(BASE + "bootstrap.client.asyncapi")))
            .should()
            .dependOnClassesThat(
                resideInAnyPackage("com.rabbitmq..", "io.netty.handler.codec.mqtt.."))
            .because("servers of messages are met by the client of messages only"));
    check(
        noClasses()
            .that(resideInAPackage(BASE + "handlers.api.."))
            .should()
            .dependOnClassesThat(
                not(
                    resideInAnyPackage(
                        "java..",
                        "org.jspecify..",
                        "com.fasterxml.jackson.databind..",
                        BASE + "core.codec",
                        BASE + "core.limits",
                        BASE + "core.model",
                        BASE + "handlers.api..")))
            .because("third parties compile against it; it stands on the JDK and values of core"));
    check(
        noClasses()
            .that(
                resideInAPackage(BASE + "handlers..")
                    .and(not(resideInAPackage(BASE + "handlers.run"))))
            .should()
            .dependOnClassesThat(resideInAPackage("com.netflix.."))
            .because("the algorithm of the adaptive window is known to handlers.run only"));
  }

  /** Packages of core that a part may know, besides those that its own parts are allowed. */
  private static void onlyCore(String part, String... others) {
    String[] allowed = Stream.of(others).map(each -> BASE + "core." + each).toArray(String[]::new);
    DescribedPredicate<JavaClass> inPart = resideInAPackage(BASE + part + "..");
    if (part.equals("handlers")) {
      inPart = inPart.and(not(resideInAPackage(BASE + "handlers.builtin..")));
    }
    check(
        noClasses()
            .that(inPart)
            .should()
            .dependOnClassesThat(
                resideInAnyPackage(BASE + "core..", BASE + "bootstrap..", "io.netty..")
                    .and(not(resideInAnyPackage(allowed))))
            .because(part + " meets the engine at ports and values: core." + List.of(others)));
  }

  private static void onlyHandlers(String name, String... others) {
    String[] allowed =
        Stream.concat(Stream.of(name), Stream.of(others))
            .map(each -> BASE + "handlers." + each + "..")
            .toArray(String[]::new);
    check(
        noClasses()
            .that(resideInAPackage(BASE + "handlers." + name + ".."))
            .should()
            .dependOnClassesThat(
                resideInAPackage(BASE + "handlers..").and(not(resideInAnyPackage(allowed))))
            .because("handlers." + name + " builds on " + List.of(others) + " only"));
  }

  @Test
  void shouldKeepTheParentFreeOfTheEngine() {
    check(
        noClasses()
            .that(
                resideInAnyPackage(
                    BASE + "bootstrap.admin..",
                    BASE + "bootstrap.supervise..",
                    BASE + "bootstrap.process..",
                    BASE + "bootstrap.protocol..",
                    BASE + "bootstrap.placement..",
                    BASE + "bootstrap.topology.."))
            .should()
            .dependOnClassesThat(
                not(
                    resideInAnyPackage(
                            "java..",
                            "org.jspecify..",
                            BASE + "bootstrap.admin..",
                            BASE + "bootstrap.datadir..",
                            BASE + "bootstrap.supervise..",
                            BASE + "bootstrap.process..",
                            BASE + "bootstrap.protocol..",
                            BASE + "bootstrap.placement..",
                            BASE + "bootstrap.topology..",
                            "oshi..")
                        .or(simpleName("AllowedHosts"))
                        .or(simpleName("EngineLimits"))
                        .or(simpleName("RequestLimits"))
                        .or(simpleName("MetricFamilies"))
                        .or(simpleName("ProcessCollector"))
                        .or(nameMatching(BASE + "core\\.settings\\.StageLayout(\\$.*)?"))
                        .or(
                            nameMatching(
                                BASE + "core\\.http\\.Operator(HttpServer|Service)(\\$.*)?"))))
            .because("the parent stays small: the JDK, and HTTP as strict as that of clients"));
    check(
        noClasses()
            .that(resideInAPackage(BASE + "bootstrap.dispatch.."))
            .should()
            .dependOnClassesThat(
                not(
                    resideInAnyPackage(
                        "java..", "org.jspecify..", "io.netty..", BASE + "bootstrap.dispatch..")))
            .because("the parent hands connections over and reads nothing of them"));
    check(
        noClasses()
            .that()
            .doNotHaveFullyQualifiedName(BASE + "bootstrap.topology.OshiFacts")
            .should()
            .dependOnClassesThat(resideInAPackage("oshi.."))
            .because("OSHI is slow to load: only OshiFacts knows it, and no start loads that"));
    check(
        noClasses()
            .that(nameMatching(".*\\.Serve(Program|Command)"))
            .should()
            .dependOnClassesThat(
                resideInAnyPackage(BASE + "core..", BASE + "bootstrap.replica..")
                    .and(not(nameMatching(BASE + "core\\.limits\\.EngineLimits(\\$Row)?"))))
            .because("serve is the parent; it knows of the engine the names of its limits only"));
  }

  @Test
  void shouldKeepTheJournalStoreFreeOfWhatItStores() {
    check(
        noClasses()
            .that(resideInAPackage(BASE + "core.journal.store.."))
            .should()
            .dependOnClassesThat(
                not(
                    resideInAnyPackage(
                        "java..",
                        "org.jspecify..",
                        BASE + "core.journal.disk..",
                        BASE + "core.journal.store..")))
            .because("the store keeps bytes; events and kernels meet it in core.journal"));
  }

  @Test
  void shouldKeepHttpFreeOfTheEngine() {
    Set<String> values =
        Set.of(
            BASE + "core.model.Clock",
            BASE + "core.model.DiskFullDetector",
            BASE + "core.model.Payload",
            BASE + "core.model.SpellingSuggestion");
    check(
        noClasses()
            .that(resideInAPackage(BASE + "core.http.."))
            .should()
            .dependOnClassesThat(
                resideInAPackage(BASE + "core.model..").and(not(outermostOf(values))))
            .because("the server speaks HTTP and JSON; definitions and instances are core.api's"));
  }

  @Test
  void shouldKeepLibrariesWhereTheyBelong() {
    only("io.netty..", "loop", "peer", "http", "api", "invoker", "resource", "snapshot", "engine");
    only("org.jctools..", "stage");
    only("org.agrona..", "kernel", "http", "api", "peer", "invoker");
    only("com.networknt..", "schema");
    only("io.prometheus..", "metrics");
    only("com.google.protobuf..", "protobuf");

    check(
        noClasses()
            .that(resideInAPackage("dev.pinion..").and(not(outermostOf(OR_TOOLS))))
            .should()
            .dependOnClassesThat(resideInAPackage("com.google.ortools.."))
            .because(
                "the solver is behind the port LpSolver; nobody else calls native code of it"));
    check(
        noClasses()
            .that(not(resideInAPackage(BASE + "bootstrap.client.grpc")))
            .should()
            .dependOnClassesThat(resideInAPackage("io.grpc.."))
            .because(
                "gRPC is one protocol of several: everything else meets it at ProtocolClient"));
    check(
        noClasses()
            .that()
            .doNotHaveFullyQualifiedName(BASE + "bootstrap.diagram.LayeredFigure")
            .should()
            .dependOnClassesThat(resideInAnyPackage("org.eclipse.elk..", "org.eclipse.emf.."))
            .because("only LayeredFigure knows ELK, so that no other command loads it"));
    check(
        noClasses()
            .that()
            .doNotHaveFullyQualifiedName(BASE + "bootstrap.child.ThreadPinning")
            .should()
            .dependOnClassesThat(resideInAPackage("net.openhft.."))
            .because("ThreadPinning is the one place that assigns threads to CPUs"));
  }

  @Test
  void shouldKeepConformanceApart() {
    check(
        noClasses()
            .that(
                resideInAnyPackage(
                        BASE + "bootstrap..",
                        BASE + "core..",
                        BASE + "handlers..",
                        BASE + "broker..")
                    .and(not(resideInAPackage(BASE + "bootstrap.conformance"))))
            .should()
            .dependOnClassesThat(resideInAnyPackage("io.cucumber..", "com.sun.net.httpserver.."))
            .because("Gherkin and services of scenarios are known to bootstrap.conformance only"));
    check(
        noClasses()
            .that(resideInAPackage(BASE + "bootstrap.conformance"))
            .should()
            .dependOnClassesThat(
                resideInAnyPackage(
                        BASE + "bootstrap..",
                        BASE + "handlers..",
                        BASE + "broker..",
                        BASE + "core.kernel..")
                    .and(not(resideInAPackage(BASE + "bootstrap.conformance"))))
            .because("scenarios use an engine as clients do, over its REST interface"));
  }

  private static void only(String library, String... packages) {
    String[] own =
        Stream.of(packages).map(each -> BASE + "core." + each + "..").toArray(String[]::new);
    check(
        noClasses()
            .that(resideInAPackage(BASE + "core..").and(not(resideInAnyPackage(own))))
            .should()
            .dependOnClassesThat(resideInAPackage(library))
            .because(library + " is known to " + List.of(packages) + " only"));
  }

  @Test
  void shouldKeepJacksonBehindPayload() {
    Set<String> mayKnowJackson =
        Set.of(
            // the class that hides it
            BASE + "core.model.Payload",
            // sizes a tree for Payload
            BASE + "core.model.cost.JsonWeight",
            BASE + "core.model.cost.HeapCost",
            // counts the cost of a tree while it is read
            BASE + "core.model.cost.HeapMeter",
            // walks two trees at once
            BASE + "core.difference.DocumentDifference",
            // read documents as diagrams
            BASE + "core.diagram.DiagramReader",
            BASE + "core.diagram.ParallelLoops",
            BASE + "core.diagram.SectionBuilder",
            BASE + "core.diagram.TaskDetails",
            // the codec of a file of the definitions
            BASE + "core.definition.PinnedDocumentFiles",
            // the codecs of the two ends of HTTP
            BASE + "core.api.instance.StartBody",
            // the codec of events
            BASE + "core.events.CloudEventReader",
            BASE + "core.http.message.RequestJson",
            BASE + "core.peer.InstancePage");
    check(
        noClasses()
            .that(
                resideInAPackage(BASE + "core..")
                    .and(
                        not(
                            resideInAnyPackage(
                                BASE + "core.codec",
                                BASE + "core.document",
                                // bodies of services, in every form
                                BASE + "core.invoker.content",
                                BASE + "core.language..",
                                // documents of others, as language reads its own
                                BASE + "core.openapi",
                                BASE + "core.jq..",
                                BASE + "core.template..",
                                BASE + "core.schema",
                                BASE + "core.xml")))
                    .and(not(outermostOf(mayKnowJackson))))
            .should()
            .dependOnClassesThat(resideInAPackage("com.fasterxml.."))
            .because("JSON values travel as Payload; only Payload and codecs know Jackson"));
  }

  @Test
  void shouldKeepTheKernelPure() {
    check(
        noClasses()
            .that(resideInAPackage(BASE + "core.kernel.."))
            .should()
            .dependOnClassesThat(
                resideInAnyPackage(
                        "java.net..",
                        "java.io..",
                        "java.nio..",
                        "java.util.concurrent.locks..",
                        "io.netty..",
                        "java.time.chrono..")
                    .or(nameMatching("java\\.util\\.concurrent\\.CompletableFuture"))
                    .or(nameMatching("java\\.lang\\.Thread(Local)?")))
            .because(
                "the kernel does no I/O, takes no lock and blocks nowhere; it returns effects"));
  }

  @Test
  void shouldHaveOneWriterOfInstances() {
    Set<String> state =
        Stream.of(
                "Instance",
                "InstanceEntry",
                "ActivitySlots",
                "Activity",
                "ActivityWait",
                "Branch",
                "ListenState")
            .map(name -> BASE + "core.kernel.step." + name)
            .collect(Collectors.toSet());
    check(
        noClasses()
            .that(not(resideInAPackage(BASE + "core.kernel.step")))
            .should()
            .accessFieldWhere(
                DescribedPredicate.describe(
                    "its owner is one of " + state,
                    access -> state.contains(access.getTargetOwner().getName())))
            .because("the state of instances changes in core.kernel.step only, by events"));
    check(
        noClasses()
            .that(not(resideInAPackage(BASE + "core.kernel.step..")))
            .should()
            .dependOnClassesThat(
                resideInAnyPackage(
                    BASE + "core.kernel.step.attempt",
                    BASE + "core.kernel.step.compensation",
                    BASE + "core.kernel.step.phase"))
            .because("they are parts of that state, which core.kernel.step alone changes"));
  }

  @Test
  void shouldKeepJsonOutOfTheOptimiser() {
    check(
        noClasses()
            .that(
                resideInAPackage(BASE + "broker..")
                    .and(not(resideInAPackage(BASE + "broker.document"))))
            .should()
            .dependOnClassesThat(resideInAPackage("com.fasterxml.."))
            .because("documents are read in broker.document; everything else works on the model"));
    check(
        noClasses()
            .that(resideInAPackage(BASE + "broker.lp"))
            .should()
            .dependOnClassesThat(
                resideInAPackage(BASE + "broker..").and(not(resideInAPackage(BASE + "broker.lp"))))
            .because("linear programs know nothing of what they are about"));
  }

  @Test
  void shouldReadClocksInOnePlace() {
    List<Banned> banned =
        List.of(
            new Banned("java.lang.System", "nanoTime"),
            new Banned("java.lang.System", "currentTimeMillis"),
            new Banned("java.time.Instant", "now"));
    Set<String> mayReadClocks =
        Set.of(
            // the clock itself
            BASE + "core.model.Clock",
            // composition of the parent, which passes clocks to Supervisor and SupervisorLog
            BASE + "bootstrap.serve.ServeProgram");
    for (Banned each : banned) {
      check(
          noClasses()
              .that(not(outermostOf(mayReadClocks)))
              .should()
              .callMethodWhere(each.asCall())
              .because(
                  "time comes from core.model.Clock, or as a parameter, so that tests set it"));
    }
  }

  @Test
  void shouldNeverSleep() {
    check(
        noClasses()
            .should()
            .callMethodWhere(new Banned("java.lang.Thread", "sleep").asCall())
            .because("sleeping hides what is waited for; wait for that, with a bound"));
  }

  @Test
  void shouldNotRollDice() {
    check(
        noClasses()
            .should()
            .dependOnClassesThat(
                nameMatching(
                    "java\\.util\\.(Random|SplittableRandom|concurrent\\.ThreadLocalRandom)"))
            .because("chance makes runs unrepeatable; take a seed from the instance instead"));
  }

  @Test
  void shouldHaveNoCyclesAmongPackages() {
    for (String module : List.of("core", "handlers", "broker", "bootstrap")) {
      check(
          slices()
              .matching(BASE + module + ".(*)..")
              .should()
              .beFreeOfCycles()
              .because("packages that need each other are one package"));
    }
  }

  @Test
  void shouldFreezeGraphsAndMessages() {
    check(
        fields()
            .that()
            .areDeclaredInClassesThat(
                resideInAnyPackage(BASE + "core.graph", BASE + "core.message"))
            .should()
            .beFinal()
            .because("what crosses threads without copying must not change"));
  }

  @Test
  void shouldFindWhatItForbids() {
    // A rule that matches nothing would always pass: this one must fail.
    ArchRule mustFail =
        noClasses()
            .that(resideInAPackage(BASE + "core.kernel.."))
            .should()
            .dependOnClassesThat(resideInAPackage(BASE + "core.message.."));

    AssertionError found = assertThrows(AssertionError.class, () -> mustFail.check(CLASSES));

    assertTrue(String.valueOf(found.getMessage()).contains("core.kernel"));
  }

  private static void check(ArchRule rule) {
    rule.allowEmptyShould(true).check(CLASSES);
  }

  private static DescribedPredicate<JavaClass> outermostOf(Set<String> names) {
    return DescribedPredicate.describe(
        "one of " + new ArrayList<>(names),
        each -> {
          String name = each.getName();
          int nested = name.indexOf('$');
          return names.contains(nested < 0 ? name : name.substring(0, nested));
        });
  }

  /** A method that must not be called. */
  private record Banned(String owner, String method) {
    DescribedPredicate<JavaMethodCall> asCall() {
      return DescribedPredicate.describe(
          owner + "." + method,
          call -> call.getTargetOwner().getName().equals(owner) && call.getName().equals(method));
    }
  }
}
