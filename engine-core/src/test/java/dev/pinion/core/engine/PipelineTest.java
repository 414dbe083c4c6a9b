package dev.pinion.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The semantics of definitions, from deployment to answer, in every way to drive the pipeline. */
class PipelineTest {
  private static final TestService NONE = request -> new TestService.Answer(500, "{}");

  private static final String HEAD =
      """
      document:
        dsl: '1.0.3'
        namespace: test
        name: pipeline
        version: '1.0.0'
      """;

  @ParameterizedTest
  @EnumSource
  void shouldFeedEachCallWithTheAnswerBefore(PipelineDriver.Kind kind) throws Exception {
    ConcurrentLinkedQueue<String> bodies = new ConcurrentLinkedQueue<>();
    TestService increment =
        request -> {
          bodies.add(request.body());
          int value = json(request.body()).json().path("value").asInt();
          return TestService.Answer.ok("{\"value\":" + (value + 1) + "}");
        };
    String call =
        """
          - call%d:
              call: http
              with:
                method: post
                endpoint: http://services.test/increment
                body:
                  value: ${ .value }
        """;
    String yaml =
        HEAD
            + "do:\n"
            + IntStream.range(0, 3).mapToObj(call::formatted).collect(Collectors.joining());

    InstanceView ended = run(kind, yaml, "{\"value\":1}", increment);

    assertOutput("{\"value\":4}", ended);
    assertEquals(List.of("{\"value\":1}", "{\"value\":2}", "{\"value\":3}"), List.copyOf(bodies));
  }

  @ParameterizedTest
  @EnumSource
  void shouldKeepTheOrderOfBranchesWhicheverEndsFirst(PipelineDriver.Kind kind) throws Exception {
    TestService echo = request -> TestService.Answer.ok("\"" + request.path().substring(1) + "\"");
    String yaml =
        HEAD
            + """
            do:
              - both:
                  fork:
                    branches:
                      - slow:
                          do:
                            - pause:
                                wait: { milliseconds: 30 }
                            - a:
                                call: http
                                with: { method: get, endpoint: 'http://services.test/a' }
                      - quick:
                          call: http
                          with: { method: get, endpoint: 'http://services.test/b' }
            """;

    assertOutput("[\"a\",\"b\"]", run(kind, yaml, "{}", echo));
  }

  @ParameterizedTest
  @EnumSource
  void shouldAnswerWithTheFirstOfCompetingBranches(PipelineDriver.Kind kind) throws Exception {
    String yaml =
        HEAD
            + """
            do:
              - race:
                  fork:
                    compete: true
                    branches:
                      - never:
                          wait: { hours: 1 }
                      - fails:
                          raise: { error: { type: 'https://example.com/x', status: 500 } }
                      - wins:
                          do:
                            - pause:
                                wait: { milliseconds: 5 }
                            - set:
                                set: { winner: true }
            """;

    assertOutput("{\"winner\":true}", run(kind, yaml, "{}", NONE));
  }

  @ParameterizedTest
  @EnumSource
  void shouldRunItemsSideBySideAndKeepTheirOrder(PipelineDriver.Kind kind) throws Exception {
    AtomicInteger calls = new AtomicInteger();
    TestService square =
        request -> {
          calls.incrementAndGet();
          int n = Integer.parseInt(request.path().substring(1));
          return TestService.Answer.ok("{\"square\":" + n * n + "}");
        };
    String yaml =
        HEAD
            + """
            do:
              - squares:
                  call: parallelForEach:1.0.0@default
                  with:
                    in: ${ .items }
                    each: n
                    at: i
                    maxConcurrency: 7
                    do:
                      - square:
                          call: http
                          with: { method: get, endpoint: '${ "http://services.test/" + ($n | tostring) }' }
                          output: { as: '{ i: $i, square: .square }' }
                  output:
                    as: '[.[] | .i, .square] | add'
            """;
    int items = 100;
    String input =
        IntStream.range(0, items)
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(",", "{\"items\":[", "]}"));
    int sum = IntStream.range(0, items).map(n -> n + n * n).sum();

    assertOutput(Integer.toString(sum), run(kind, yaml, input, square));
    assertEquals(items, calls.get());
  }

  @ParameterizedTest
  @EnumSource
  void shouldRetryUntilTheServiceRecovers(PipelineDriver.Kind kind) throws Exception {
    AtomicInteger calls = new AtomicInteger();
    TestService recovers =
        request ->
            calls.incrementAndGet() < 3
                ? new TestService.Answer(503, "{}")
                : TestService.Answer.ok("{\"ok\":true}");
    String yaml =
        HEAD
            + """
            do:
              - careful:
                  try:
                    - flaky:
                        call: http
                        with: { method: get, endpoint: 'http://services.test/flaky' }
                  catch:
                    errors:
                      with: { status: 503 }
                    retry:
                      delay: { milliseconds: 2 }
                      backoff: { exponential: {} }
                      limit: { attempt: { count: 5 } }
            """;

    assertOutput("{\"ok\":true}", run(kind, yaml, "{}", recovers));
    assertEquals(3, calls.get());
  }

  @ParameterizedTest
  @EnumSource
  void shouldLocateTheErrorThatIsNotCaught(PipelineDriver.Kind kind) throws Exception {
    TestService missing = request -> new TestService.Answer(404, "{}");
    String yaml =
        HEAD
            + """
            do:
              - careful:
                  try:
                    - call:
                        call: http
                        with: { method: get, endpoint: 'http://services.test/missing' }
                  catch:
                    errors:
                      with: { status: 500 }
            """;

    InstanceView ended = run(kind, yaml, "{}", missing);

    WorkflowError error = Objects.requireNonNull(ended.error());
    assertEquals(InstanceState.FAULTED, ended.state());
    assertEquals(404, error.status());
    assertEquals("/do/0/careful/try/0/call", error.instance());
  }

  @ParameterizedTest
  @EnumSource
  void shouldEndATaskThatTakesTooLong(PipelineDriver.Kind kind) throws Exception {
    String yaml =
        HEAD
            + """
            do:
              - guarded:
                  try:
                    - slow:
                        timeout: { after: { milliseconds: 10 } }
                        do:
                          - sleep:
                              wait: { hours: 1 }
                  catch:
                    errors:
                      with: { type: 'https://serverlessworkflow.io/spec/1.0.0/errors/timeout' }
                    as: e
                    do:
                      - tell:
                          set: { status: '${ $e.status }', where: '${ $e.instance }' }
            """;

    assertOutput(
        "{\"status\":408,\"where\":\"/do/0/guarded/try/0/slow\"}", run(kind, yaml, "{}", NONE));
  }

  @ParameterizedTest
  @EnumSource
  void shouldFoldALoopUntilItsConditionFails(PipelineDriver.Kind kind) throws Exception {
    String yaml =
        HEAD
            + """
            do:
              - count:
                  for: { each: n, in: '[range(10)]' }
                  while: .total < 10
                  do:
                    - add:
                        set: { total: '${ .total + $n }' }
            """;

    assertOutput("{\"total\":10}", run(kind, yaml, "{\"total\":0}", NONE));
  }

  /** Field fault 15: {@code {n}} of an endpoint is the loop's variable, and never becomes empty. */
  @ParameterizedTest
  @EnumSource
  void shouldFillTheVariablesOfAnEndpoint(PipelineDriver.Kind kind) throws Exception {
    List<String> uris = new ArrayList<>();
    TestService testService =
        call -> {
          uris.add(call.path());
          return TestService.Answer.ok("{}");
        };
    String yaml =
        HEAD
            + """
            do:
              - each:
                  for: { each: n, in: '[7, 8]' }
                  do:
                    - pay:
                        call: http
                        with: { method: delete, endpoint: 'http://services.test/{n}' }
              - undefined:
                  call: http
                  with: { method: delete, endpoint: 'http://services.test/payments/{paymentId}' }
            """;

    InstanceView ended = run(kind, yaml, "{}", testService);

    assertEquals(List.of("/7", "/8"), uris);
    assertEquals(InstanceState.FAULTED, ended.state());
    assertTrue(String.valueOf(ended.error()).contains("{paymentId}"), () -> "" + ended.error());
  }

  @ParameterizedTest
  @EnumSource
  void shouldHandLongExpressionsToAnotherThreadAndGoOn(PipelineDriver.Kind kind) throws Exception {
    String yaml =
        HEAD
            + """
            do:
              - heavy:
                  set: { sum: '${ [range(100000)] | add }' }
              - after:
                  set: { sum: '${ .sum + 1 }' }
            """;

    assertOutput("{\"sum\":4999950001}", run(kind, yaml, "{}", NONE));
  }

  @ParameterizedTest
  @EnumSource
  void shouldStopAnEndlessExpression(PipelineDriver.Kind kind) throws Exception {
    String yaml =
        HEAD
            + """
            do:
              - endless:
                  set: { x: '${ def f(n): if n == 0 then 1 else f(n - 1) + f(n - 1) end; f(60) }' }
            """;

    InstanceView ended = run(kind, yaml, "{}", NONE);

    assertEquals(InstanceState.FAULTED, ended.state());
    WorkflowError error = Objects.requireNonNull(ended.error());
    assertTrue(error.type().endsWith("/expression"), error.type());
    assertEquals("/do/0/endless", error.instance());
  }

  @ParameterizedTest
  @EnumSource
  void shouldEndTheWorkflowFromInsideABranch(PipelineDriver.Kind kind) throws Exception {
    String yaml =
        HEAD
            + """
            do:
              - both:
                  fork:
                    branches:
                      - stop:
                          set: { stopped: true }
                          then: end
                      - never:
                          wait: { hours: 1 }
              - unreached:
                  set: { reached: true }
            """;

    assertOutput("{\"stopped\":true}", run(kind, yaml, "{}", NONE));
  }

  @ParameterizedTest
  @EnumSource
  void shouldMergeWhatBranchesExport(PipelineDriver.Kind kind) throws Exception {
    String yaml =
        HEAD
            + """
            do:
              - both:
                  fork:
                    branches:
                      - left:
                          set: { v: 1 }
                          export: { as: '$context + { left: .v, shared: "left" }' }
                      - right:
                          set: { v: 2 }
                          export: { as: '$context + { right: .v, shared: "right" }' }
              - tell:
                  set: '${ $context }'
            """;

    assertOutput(
        "{\"in\":0,\"left\":1,\"right\":2,\"shared\":\"right\"}",
        run(kind, yaml, "{\"in\":0}", NONE));
  }

  @ParameterizedTest
  @EnumSource
  void shouldRefuseInputThatDoesNotMatchItsSchema(PipelineDriver.Kind kind) throws Exception {
    String yaml =
        HEAD
            + """
            input:
              schema:
                document: { type: object, required: [ name ] }
            do:
              - tell:
                  set: { hello: '${ .name }' }
            """;

    InstanceView refused = run(kind, yaml, "{}", NONE);
    WorkflowError error = Objects.requireNonNull(refused.error());

    assertEquals(InstanceState.FAULTED, refused.state());
    assertTrue(error.type().endsWith("/validation"), error.type());
    assertOutput("{\"hello\":\"world\"}", run(kind, yaml, "{\"name\":\"world\"}", NONE));
  }

  @ParameterizedTest
  @EnumSource
  void shouldNameTheLimitThatAnEndlessFlowReaches(PipelineDriver.Kind kind) throws Exception {
    String yaml =
        HEAD
            + """
            do:
              - again:
                  set: { n: '${ .n + 1 }' }
                  then: again
            """;

    EngineLimits limits = // the default in one layout only, to save time
        kind == PipelineDriver.Kind.FUSED_2
            ? EngineLimits.defaults()
            : EngineLimits.defaults().with(Map.of("instance.maxSteps", 50_000));
    InstanceView ended;
    try (PipelineDriver driver = kind.open(limits)) {
      ended = driver.run(yaml, json("{\"n\":0}"), NONE);
    }

    assertEquals(InstanceState.FAULTED, ended.state());
    String detail = Objects.requireNonNull(ended.error()).detail();
    assertNotNull(detail);
    assertTrue(detail.contains("instance.maxSteps"), detail);
  }

  private static InstanceView run(
      PipelineDriver.Kind kind, String yaml, String input, TestService testService)
      throws Exception {
    try (PipelineDriver driver = kind.open(EngineLimits.defaults())) {
      return driver.run(yaml, json(input), testService);
    }
  }

  private static void assertOutput(String expected, InstanceView ended) {
    assertEquals(InstanceState.COMPLETED, ended.state(), () -> "error: " + ended.error());
    assertEquals(json(expected), json(String.valueOf(ended.output())));
  }

  private static Payload json(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try {
      return new PayloadCodec(EngineLimits.defaults().json()).read(bytes, 0, bytes.length);
    } catch (PayloadSyntaxException e) {
      throw new IllegalArgumentException(text, e);
    }
  }
}
