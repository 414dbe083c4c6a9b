package dev.pinion.bootstrap.client.grpc;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Timestamp;
import dev.pinion.bootstrap.client.call.InvokerStub;
import dev.pinion.bootstrap.client.call.ProtocolSettings;
import dev.pinion.bootstrap.client.grpc.GrpcTestService.Behaviour;
import dev.pinion.core.interception.MessageBody;
import dev.pinion.core.invoker.ServiceCaller;
import dev.pinion.core.invoker.ServiceCaller.OngoingCall;
import dev.pinion.core.invoker.ServiceResponse;
import dev.pinion.core.invoker.http.ClientTls;
import dev.pinion.core.invoker.http.HostResolver;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.GrpcCall;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.model.call.HttpCall.HeaderField;
import dev.pinion.core.model.call.SecretParts;
import dev.pinion.core.model.call.SecretTexts;
import dev.pinion.core.stage.ThreadSetup;
import io.grpc.Metadata;
import io.grpc.Status;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Calls of a gRPC server on loopback. */
class GrpcClientTest {
  private final InvokerStub invoker = new InvokerStub();

  @AfterEach
  void stop() {
    invoker.close();
  }

  private static GrpcClient client(Map<String, Integer> limits) throws IOException {
    return new GrpcClient(settings(limits));
  }

  private static ProtocolSettings settings(Map<String, Integer> limits) throws IOException {
    return settings(limits, ClientTls.load(null));
  }

  private static ProtocolSettings settings(Map<String, Integer> limits, ClientTls tls) {
    return new ProtocolSettings(
        EngineLimits.defaults().with(limits), tls, Set.of(), ThreadSetup.NONE, Clock.system());
  }

  private static GrpcCall call(
      GrpcTestService service, String method, String arguments, HeaderField... metadata) {
    return call(service, "http://127.0.0.1:" + service.port(), method, arguments, metadata);
  }

  private static GrpcCall call(
      GrpcTestService service,
      String origin,
      String method,
      String arguments,
      HeaderField... metadata) {
    return new GrpcCall(
        service.method(method),
        new HttpCall(
            "POST",
            origin + "/demo.Greeter/" + method,
            List.of(metadata),
            InvokerStub.json(arguments),
            HttpCall.Output.CONTENT,
            false));
  }

  private static Behaviour answering(Status status) {
    return (request, call) -> GrpcTestService.answer(call, status, List.of());
  }

  private Payload output(String method, String arguments, Behaviour behaviour) throws Exception {
    try (GrpcTestService service = new GrpcTestService(behaviour);
        GrpcClient client = client(Map.of())) {
      return invoker.output(client, call(service, method, arguments));
    }
  }

  private WorkflowError error(
      Map<String, Integer> limits, String method, String arguments, Behaviour behaviour)
      throws Exception {
    try (GrpcTestService service = new GrpcTestService(behaviour);
        GrpcClient client = client(limits)) {
      return invoker.error(client, call(service, method, arguments));
    }
  }

  /** A greeting by the type of the request's service. */
  private static DynamicMessage greeting(GrpcTestService.Request request, String text) {
    var type = request.message().getDescriptorForType().getFile().findMessageTypeByName("Greeting");
    return DynamicMessage.newBuilder(type).setField(type.findFieldByName("text"), text).build();
  }

  private static Behaviour greeting(String... texts) {
    return (request, call) ->
        GrpcTestService.answer(
            call, Status.OK, List.of(texts).stream().map(text -> greeting(request, text)).toList());
  }

  @Test
  void shouldSendArgumentsAndYieldTheAnswer() throws Exception {
    try (GrpcTestService service = new GrpcTestService(greeting("Hello"));
        GrpcClient client = client(Map.of())) {
      Payload output =
          invoker.output(
              client,
              call(
                  service,
                  "Hello",
                  """
                  {"firstName": "Ada", "age": 36, "mood": "GLAD", "address": {"street": "x"},
                   "numbers": ["9007199254740993", 2], "homes": {"a": {"house": 3}},
                   "born": "1815-12-10T00:00:00Z", "photo": "Y2F0", "other": {"k": [1, null]}}
                  """));

      assertEquals(
          InvokerStub.json(
              "{\"text\": \"Hello\", \"count\": \"0\", \"glad\": false, \"tags\": []}"),
          output);
      DynamicMessage sent = service.request().message();
      var type = sent.getDescriptorForType();
      assertEquals("Ada", sent.getField(type.findFieldByName("first_name")));
      assertEquals(
          9_007_199_254_740_993L, sent.getRepeatedField(type.findFieldByName("numbers"), 0));
      assertEquals(
          ByteString.copyFrom("cat", StandardCharsets.UTF_8),
          sent.getField(type.findFieldByName("photo")));
    }
  }

  @Test
  void shouldYieldAStreamAsAnArray() throws Exception {
    Payload output = output("Follow", "{}", greeting("a", "b"));

    assertEquals(2, output.json().size());
    assertEquals("b", output.json().path(1).path("text").asText());
    assertEquals(InvokerStub.json("[]"), output("Follow", "{}", answering(Status.OK)));
  }

  @Test
  void shouldSendMetadata() throws Exception {
    try (GrpcTestService service = new GrpcTestService(greeting("Hello"));
        GrpcClient client = client(Map.of())) {
      GrpcCall call =
          call(
              service,
              "Hello",
              "{}",
              new HeaderField("X-Key", "k"),
              new HeaderField("token-bin", "Y2F0"));
      invoker.output(client, call.withIdempotencyKey("id-1", 2));

      Metadata sent = service.request().metadata();
      assertEquals("k", sent.get(Metadata.Key.of("x-key", Metadata.ASCII_STRING_MARSHALLER)));
      assertArrayEquals(
          "cat".getBytes(StandardCharsets.UTF_8),
          sent.get(Metadata.Key.of("token-bin", Metadata.BINARY_BYTE_MARSHALLER)));
      assertEquals(
          "\"id-1\"",
          sent.get(Metadata.Key.of("idempotency-key", Metadata.ASCII_STRING_MARSHALLER)));
      assertEquals(
          "2", sent.get(Metadata.Key.of("pinion-attempt", Metadata.ASCII_STRING_MARSHALLER)));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "CANCELLED, communication, 499",
    "UNKNOWN, communication, 500",
    "INVALID_ARGUMENT, communication, 400",
    "DEADLINE_EXCEEDED, timeout, 408",
    "NOT_FOUND, communication, 404",
    "ALREADY_EXISTS, communication, 409",
    "PERMISSION_DENIED, authorization, 403",
    "RESOURCE_EXHAUSTED, communication, 429",
    "FAILED_PRECONDITION, communication, 400",
    "ABORTED, communication, 409",
    "OUT_OF_RANGE, communication, 400",
    "UNIMPLEMENTED, communication, 501",
    "INTERNAL, communication, 500",
    "UNAVAILABLE, communication, 503",
    "DATA_LOSS, communication, 500",
    "UNAUTHENTICATED, authentication, 401",
  })
  void shouldTurnStatusesIntoErrors(Status.Code code, String type, int status) throws Exception {
    WorkflowError error =
        error(Map.of(), "Hello", "{}", answering(code.toStatus().withDescription("no\n such one")));

    assertTrue(error.type().endsWith("/errors/" + type), error::type);
    assertEquals(status, error.status());
    assertEquals(code.name(), error.title());
    assertTrue(
        String.valueOf(error.detail()).endsWith(", found " + code + ": no such one"),
        error::toString);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"age\": \"x\"}|expected a value of type int32 as age, found \"x\"",
        "{\"fistName\": \"x\"}|expected a field of demo.Person (firstName, age, mood, address, numbers, homes, born, photo, other, mail and 2 more), found fistName; did you mean \"firstName\"?",
        "{\"age\": 1, \"mood\": \"SAD\"}|expected one of UNKNOWN, GLAD as mood, found \"SAD\"",
        "{\"address\": {\"house\": -1}}|expected a value of type uint32 as address.house, found the number -1",
        "{\"address\": 1}|expected the message demo.Address as address, found the number 1",
        "{\"numbers\": [1, true]}|expected a value of type int64 as numbers[1], found the boolean true",
        "{\"numbers\": 1}|expected an array as numbers, found the number 1",
        "{\"homes\": {\"a\": {\"house\": \"x\"}}}|expected a value of type uint32 as homes[a].house, found \"x\"",
        "{\"homes\": []}|expected an object as homes, found an empty array",
        "{\"addresses\": [{}, {\"stret\": 1}]}|expected a field of demo.Address (street, house), found addresses[1].stret; did you mean \"street\"?",
        "{\"born\": \"today\"}|expected the message google.protobuf.Timestamp as born, found \"today\"",
      })
  void shouldNameTheFieldThatIsWrong(String arguments, String problem) throws Exception {
    WorkflowError error = error(Map.of(), "Hello", arguments, greeting("never"));

    assertTrue(error.type().endsWith("/errors/configuration"), error::type);
    assertTrue(String.valueOf(error.detail()).startsWith(problem + ", in grpc "), error::toString);
  }

  @ParameterizedTest
  @CsvSource({"true, 'what is wrong is left out'", "false, 'repeats a secret of the request'"})
  void shouldNotShowAPartOfASecret(boolean isArgument, String said) throws Exception {
    String secret = "canary".repeat(20);
    Status refusal =
        Status.INTERNAL.withDescription("x".repeat(80) + secret + " is no key".repeat(20));
    String arguments = isArgument ? "{\"age\": \"" + secret + "\"}" : "{}";
    try (GrpcTestService service = new GrpcTestService(answering(refusal));
        GrpcClient client = client(Map.of())) {
      GrpcCall plain = call(service, "Hello", arguments);
      HttpCall request = plain.request();
      HttpCall whole =
          new HttpCall(
              request.method(),
              request.uri(),
              request.headers(),
              request.body(),
              request.output(),
              false,
              new SecretParts.Applied(request.uri(), Set.of(), SecretTexts.of(List.of(secret))));

      WorkflowError error = invoker.error(client, new GrpcCall(plain.method(), whole));

      String detail = String.valueOf(error.detail());
      assertFalse(detail.contains("canary"), detail);
      assertTrue(detail.contains(said), detail);
    }
  }

  /** Such a text held the one thread of all calls for minutes. */
  @ParameterizedTest
  @Timeout(60)
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"age\": \"DIGITS\"}",
        "{\"mood\": \"DIGITS\"}",
        "{\"numbers\": [1, \"DIGITS\"]}",
        "{\"addresses\": [{\"house\": \"DIGITS\"}]}",
        "{\"homes\": {\"a\": {\"house\": \"DIGITS\"}}}",
      })
  void shouldRefuseNumbersOfMillionsOfDigits(String arguments) throws Exception {
    String digits = "7".repeat(4 << 20);
    WorkflowError error =
        error(Map.of(), "Hello", arguments.replace("DIGITS", digits), greeting("never"));

    assertTrue(error.type().endsWith("/errors/configuration"), error::type);
    assertTrue(
        String.valueOf(error.detail()).startsWith("expected numbers of at most 1000 characters"),
        error::toString);
  }

  @Test
  void shouldTakeTextsOfManyDigits() throws Exception {
    String digits = "7".repeat(10_000);
    Payload output =
        output(
            "Hello",
            "{\"firstName\": \"%s\", \"homes\": {\"%s\": {}}, \"age\": \"1.0\"}"
                .formatted(digits, digits),
            greeting("Hello"));

    assertEquals("Hello", output.text("text"));
  }

  @Test
  void shouldRefuseMetadataThatWouldBeLeftOut() throws Exception {
    try (GrpcTestService service = new GrpcTestService(greeting("never"));
        GrpcClient client = client(Map.of())) {
      WorkflowError error =
          invoker.error(client, call(service, "Hello", "{}", new HeaderField("X-Key", "one\ttwo")));

      assertTrue(error.type().endsWith("/errors/configuration"), error::type);
      assertTrue(
          String.valueOf(error.detail()).startsWith("expected metadata \"X-Key\" without tabs"),
          error::toString);
    }
  }

  @Test
  void shouldRefuseATimeThatIsNone() throws Exception {
    Timestamp far = Timestamp.newBuilder().setSeconds(Long.MAX_VALUE).build();
    Behaviour answering =
        (request, call) -> {
          var type =
              request.message().getDescriptorForType().getFile().findMessageTypeByName("Greeting");
          DynamicMessage answer =
              DynamicMessage.newBuilder(type)
                  .setField(type.findFieldByName("any"), Any.pack(far))
                  .build();
          GrpcTestService.answer(call, Status.OK, List.of(answer));
        };

    WorkflowError error = error(Map.of(), "Hello", "{}", answering);

    assertTrue(error.type().endsWith("/errors/communication"), error::toString);
    assertTrue(
        String.valueOf(error.detail())
            .startsWith("expected a message demo.Greeting with a JSON form, found: "),
        error::toString);
  }

  @Test
  void shouldRefuseTwoFieldsOfOneChoice() throws Exception {
    WorkflowError error =
        error(Map.of(), "Hello", "{\"mail\": \"a\", \"phone\": \"b\"}", greeting("never"));

    assertTrue(
        String.valueOf(error.detail()).startsWith("expected a message demo.Person, found: "),
        error::toString);
  }

  @Test
  void shouldBoundTheNumberOfMessages() throws Exception {
    Map<String, Integer> two = Map.of("protocol.maxMessages", 2);
    assertEquals(
        "expected at most 2 messages (protocol.maxMessages), found more, in the answer to",
        begin(error(two, "Follow", "{}", greeting("a", "b", "c"))));
    try (GrpcTestService service = new GrpcTestService(greeting("a", "b"));
        GrpcClient client = client(two)) {
      assertEquals(2, invoker.output(client, call(service, "Follow", "{}")).json().size());
    }
  }

  private static String begin(WorkflowError error) {
    return String.valueOf(error.detail()).replaceAll(" grpc http://.*", "");
  }

  @Test
  void shouldBoundTheBytesOfAnAnswer() throws Exception {
    Map<String, Integer> few = Map.of("invoker.maxResponseBytes", 1_024);
    String half = "x".repeat(600);

    assertEquals(
        "expected at most 1024 bytes of one message (invoker.maxResponseBytes) from",
        String.valueOf(error(few, "Hello", "{}", greeting("x".repeat(2_000))).detail())
            .replaceAll(" grpc http://.*", ""));
    assertTrue(
        begin(error(few, "Follow", "{}", greeting(half, half)))
            .contains("more bytes of JSON (invoker.maxResponseBytes), found more"));
  }

  @Test
  void shouldRefuseOneAnswerTooMany() throws Exception {
    assertTrue(
        error(Map.of(), "Hello", "{}", greeting("a", "b")).type().endsWith("/communication"));
    assertEquals(
        "expected one message, found none, in the answer to",
        begin(error(Map.of(), "Hello", "{}", answering(Status.OK))));
  }

  @Test
  void shouldTellThatNobodyAccepts() throws Exception {
    int port;
    try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = closed.getLocalPort();
    }
    try (GrpcTestService service = new GrpcTestService(greeting("never"));
        GrpcClient client = client(Map.of())) {
      WorkflowError error =
          invoker.error(client, call(service, "http://127.0.0.1:" + port, "Hello", "{}"));

      assertTrue(error.type().endsWith("/communication"), error::type);
      assertEquals(500, error.status());
      assertTrue(String.valueOf(error.detail()).contains("refused"), error::toString);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "http://169.254.169.254:80",
    "http://[fd00:ec2::254]:80",
    "http://[::ffff:169.254.169.254]:80",
    "http://224.0.0.1:80",
    "http://0.0.0.0:80",
  })
  void shouldNeverCallReservedAddresses(String origin) throws Exception {
    try (GrpcTestService service = new GrpcTestService(greeting("never"));
        GrpcClient client = client(Map.of())) {
      WorkflowError error = invoker.error(client, call(service, origin, "Hello", "{}"));

      assertTrue(error.type().endsWith("/authorization"), error::toString);
    }
  }

  @Test
  void shouldRefuseOtherSpellingsOfAddresses() throws Exception {
    try (GrpcTestService service = new GrpcTestService(greeting("never"));
        GrpcClient client = client(Map.of())) {
      WorkflowError error =
          invoker.error(client, call(service, "http://2852039166:80", "Hello", "{}"));

      assertTrue(error.type().endsWith("/configuration"), error::toString);
    }
  }

  /** Names at fixed addresses. */
  private record NamedHosts(EventLoop loop, Map<String, List<InetAddress>> hosts)
      implements HostResolver {
    @Override
    public List<InetAddress> cached(String host, long nowNanos) {
      return List.of();
    }

    @Override
    public Future<List<InetAddress>> lookUp(String host, Family family) {
      return family == Family.V4 && hosts.containsKey(host)
          ? loop.newSucceededFuture(Objects.requireNonNull(hosts.get(host)))
          : loop.newFailedFuture(new UnknownHostException(host));
    }

    @Override
    public void close() {}
  }

  @Test
  void shouldCheckTheAddressesOfNames() throws Exception {
    InetAddress metadata = InetAddress.getByName("169.254.169.254");
    InetAddress here = InetAddress.getLoopbackAddress();
    Map<String, List<InetAddress>> hosts =
        Map.of("evil.test", List.of(metadata), "both.test", List.of(metadata, here));
    try (GrpcTestService service = new GrpcTestService(greeting("Hello"));
        GrpcClient client =
            new GrpcClient(settings(Map.of()), loop -> new NamedHosts(loop, hosts))) {
      String port = ":" + service.port();

      assertTrue(
          invoker
              .error(client, call(service, "http://evil.test" + port, "Hello", "{}"))
              .type()
              .endsWith("/authorization"));
      assertEquals(
          "Hello",
          invoker
              .output(client, call(service, "http://both.test" + port, "Hello", "{}"))
              .text("text"));
      assertTrue(
          String.valueOf(
                  invoker
                      .error(client, call(service, "http://none.test" + port, "Hello", "{}"))
                      .detail())
              .startsWith("expected an address for host name none.test, found none"));
    }
  }

  /** A name that moves to a closed address between two calls ("rebinding"). */
  @Test
  void shouldCheckTheAddressesOfEveryLookUp() throws Exception {
    Map<String, List<InetAddress>> hosts = new ConcurrentHashMap<>();
    hosts.put("moving.test", List.of(InetAddress.getLoopbackAddress()));
    try (GrpcTestService service = new GrpcTestService(greeting("Hello"));
        GrpcClient client =
            new GrpcClient(
                settings(Map.of("protocol.maxServices", 1)), loop -> new NamedHosts(loop, hosts))) {
      GrpcCall moving = call(service, "http://moving.test:" + service.port(), "Hello", "{}");
      assertEquals("Hello", invoker.output(client, moving).text("text"));
      hosts.put("moving.test", List.of(InetAddress.getByName("169.254.169.254")));
      invoker.output(client, call(service, "Hello", "{}")); // takes the place of the other channel

      assertTrue(invoker.error(client, moving).type().endsWith("/authorization"));
    }
  }

  @Test
  void shouldCancelAtTheService() throws Exception {
    try (GrpcTestService service = new GrpcTestService((request, call) -> {});
        GrpcClient client = client(Map.of())) {
      AtomicBoolean told = new AtomicBoolean();
      OngoingCall ongoing =
          invoker.begin(client, call(service, "Hello", "{}"), outcome -> told.set(true));
      service.request();
      assertEquals("the answer of 127.0.0.1:" + service.port(), ongoing.waitsFor());

      invoker.run(ongoing::cancel);
      service.awaitCancelled();

      assertFalse(told.get());
    }
  }

  @Test
  void shouldKeepOneChannelToAService() throws Exception {
    try (GrpcTestService service = new GrpcTestService(greeting("Hello"));
        GrpcClient client = client(Map.of("protocol.maxServices", 1))) {
      for (int i = 0; i < 3; i++) {
        invoker.output(client, call(service, "Hello", "{}"));
      }
      assertEquals(1, client.loop().submit(client.channels()::size).get());
    }
  }

  @Test
  void shouldReplaceAnUnusedChannelAndRefuseBeyondTheLimit() throws Exception {
    try (GrpcTestService silent = new GrpcTestService((request, call) -> {});
        GrpcTestService first = new GrpcTestService(greeting("first"));
        GrpcTestService second = new GrpcTestService(greeting("second"));
        GrpcClient client = client(Map.of("protocol.maxServices", 1))) {
      assertEquals("first", invoker.output(client, call(first, "Hello", "{}")).text("text"));
      assertEquals("second", invoker.output(client, call(second, "Hello", "{}")).text("text"));
      OngoingCall ongoing = invoker.begin(client, call(silent, "Hello", "{}"), outcome -> {});
      silent.request();

      WorkflowError error = invoker.error(client, call(first, "Hello", "{}"));
      invoker.run(ongoing::cancel);

      assertTrue(error.type().endsWith("/runtime"), error::toString);
      assertEquals(
          "expected at most 1 gRPC services at a time (protocol.maxServices), found more",
          error.detail());
    }
  }

  @Test
  void shouldCloseAChannelThatIsUnused() throws Exception {
    try (GrpcTestService service = new GrpcTestService(greeting("Hello"));
        GrpcClient client = client(Map.of("invoker.idleTimeoutMillis", 1))) {
      invoker.output(client, call(service, "Hello", "{}"));
      await().until(() -> client.loop().submit(client.channels()::size).get() == 0);
    }
  }

  @Test
  void shouldDescribeCallsByTheirMethod() throws Exception {
    try (GrpcTestService service = new GrpcTestService(greeting("never"))) {
      assertEquals(
          "grpc http://127.0.0.1:" + service.port() + "/demo.Greeter/Hello",
          call(service, "Hello", "{}").description());
    }
  }

  @Test
  void shouldFailCallsAfterItsEnd() throws Exception {
    GrpcClient client = client(Map.of());
    client.close();
    try (GrpcTestService service = new GrpcTestService(greeting("never"))) {
      await().until(client.loop()::isTerminated);

      WorkflowError error = invoker.error(client, call(service, "Hello", "{}"));

      assertEquals("the engine stopped before the call began", error.detail());
    }
  }

  @Test
  void shouldOfferARefusedAuthorizationForRenewal() throws Exception {
    BlockingQueue<Integer> offered = new LinkedBlockingQueue<>();
    ServiceCaller.InterceptedListener listener =
        new ServiceCaller.InterceptedListener() {
          @Override
          public @Nullable MessageBody content() {
            return null;
          }

          @Override
          public boolean onResponse(ServiceResponse answer) {
            return offered.add(answer.status());
          }

          @Override
          public void onOutcome(CallOutcome outcome) {
            offered.add(0);
          }
        };
    try (GrpcTestService service = new GrpcTestService(answering(Status.UNAUTHENTICATED));
        GrpcClient client = client(Map.of())) {
      OngoingCall _ = invoker.begin(client, call(service, "Hello", "{}"), listener);

      assertEquals(401, offered.take());
    }
    assertTrue(offered.isEmpty());
  }

  @Test
  void shouldUseTlsAndJudgeCertificates(@TempDir Path folder) throws Exception {
    TestIdentity identity = TestIdentity.make(folder);
    try (GrpcTestService service = new GrpcTestService(identity.credentials(), greeting("Hello"));
        GrpcClient trusting =
            new GrpcClient(settings(Map.of(), ClientTls.load(identity.certificate())));
        GrpcClient other = client(Map.of())) {
      String origin = "https://127.0.0.1:" + service.port();

      assertEquals(
          "Hello", invoker.output(trusting, call(service, origin, "Hello", "{}")).text("text"));
      WorkflowError error = invoker.error(other, call(service, origin, "Hello", "{}"));
      assertTrue(error.type().endsWith("/communication"), error::toString);
    }
  }
}
