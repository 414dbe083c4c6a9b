package dev.pinion.bootstrap.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.bootstrap.placement.PlacementPlanner;
import dev.pinion.bootstrap.placement.PlacementSettings;
import dev.pinion.bootstrap.placement.ReplicaSpec;
import dev.pinion.bootstrap.protocol.ProfileRequest;
import dev.pinion.bootstrap.supervise.BrokerSupervisor;
import dev.pinion.bootstrap.supervise.FakeReplicas;
import dev.pinion.bootstrap.supervise.HistorySupervisor;
import dev.pinion.bootstrap.supervise.ScalingSettings;
import dev.pinion.bootstrap.supervise.Supervisor;
import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.bootstrap.topology.FileTree;
import dev.pinion.bootstrap.topology.Machines;
import dev.pinion.core.http.AllowedHosts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The listener over a socket, with a supervisor whose processes are fakes. */
class AdminServerTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String GET_LIVEZ = "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n";
  private static final String TOKEN = "01234567-89ab-cdef-0123-456789abcdef";
  private static final String OTHER_TOKEN = "11234567-89ab-cdef-0123-456789abcdef";

  @TempDir private Path crashes;
  private final List<ReplicaSpec> plan =
      PlacementPlanner.plan(Machines.sosoaM1(), PlacementSettings.AUTO).replicas();
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final Map<String, String> files = new HashMap<>();

  /** Orders that the broker has received; its capacity is one. */
  private final Queue<ProfileRequest> brokersOrders = new ArrayBlockingQueue<>(1);

  private Optional<HandoverStatistics> handover = Optional.empty();
  private @Nullable AdminServer server;

  /** A received response. */
  private record Received(int status, String head, JsonNode body) {}

  @AfterEach
  void close() {
    Objects.requireNonNull(server).close();
    thread.shutdownNow();
  }

  @Test
  void shouldTellHowLongConnectionsTakeToReplicas() throws Exception {
    HandoverLatencies times = new HandoverLatencies();
    LongStream.of(500_000, 210_000, 80_000, 70_000).forEach(times::add);
    handover = Optional.of(new HandoverStatistics(times, () -> 17, () -> 3, () -> 2));
    open(new FakeReplicas(2, ScalingSettings.between(2, 2), crashes));

    Received answer = get("/admin/v1/handover");

    assertEquals(200, answer.status());
    assertEquals(4, answer.body().path("connections").asInt());
    assertEquals(80, answer.body().path("medianMicros").asInt());
    assertEquals(210, answer.body().path("p99Micros").asInt());
    assertEquals(17, answer.body().path("handedOver").asInt());
    assertEquals(3, answer.body().path("dropped").asInt());
    assertEquals(2, answer.body().path("acceptFailures").asInt());
    assertEquals(
        3,
        get("/admin/v1/handover?latest=3").body().path("connections").asInt(),
        "those asked for");
    assertEquals(200, get("/admin/v1/handover?latest=10000").status());
    assertEquals(400, get("/admin/v1/handover?latest=10001").status());
    assertEquals(400, get("/admin/v1/handover?latest=0").status());
  }

  @Test
  void shouldTellOfNoHandOverWhereReplicasAcceptThemselves() throws Exception {
    open(new FakeReplicas(1, ScalingSettings.between(1, 1), crashes));

    assertEquals(404, get("/admin/v1/handover").status());
  }

  @Test
  void shouldTellThatItLivesAndServes() throws IOException {
    open(FakeReplicas.serving(2, crashes));

    assertEquals(200, get("/livez").status());
    assertEquals(200, get("/readyz").status());
    assertEquals(
        JSON.readTree(
            "{\"ready\":true,\"serving\":2,\"replicas\":2,\"plan\":\"relaxed\",\"checks\":["
                + "{\"name\":\"replicas\",\"ready\":true,\"required\":true,"
                + "\"detail\":\"2 of 2 replicas serve\"},"
                + "{\"name\":\"disk\",\"ready\":true,\"required\":true,"
                + "\"detail\":\"no replica lacks room for its journal\"},"
                + "{\"name\":\"limits\",\"ready\":true,\"required\":true,"
                + "\"detail\":\"no limit refuses starts\"}]}"),
        get("/readyz").body());
    assertEquals(
        JSON.readTree(
            "{\"running\":true,\"pid\":4712,\"standby\":-1,\"starts\":3,\"planVersion\":9,\"plan\":\"relaxed\"}"),
        get("/admin/v1/broker").body());
  }

  @Test
  void shouldNotBeReadyWhileNoReplicaServes() throws IOException {
    open(new FakeReplicas(2, ScalingSettings.between(2, 2), crashes));

    Received answer = get("/readyz");

    assertEquals(503, answer.status());
    assertEquals(0, answer.body().get("serving").asInt());
    assertEquals(200, get("/livez").status());
  }

  @Test
  void shouldShowReplicas() throws IOException {
    open(FakeReplicas.serving(2, crashes));

    JsonNode second = get("/admin/v1/replicas").body().at("/replicas/1");

    assertEquals(1, second.get("index").asInt());
    assertEquals("READY", second.get("state").asText());
    assertEquals(101, second.get("pid").asInt());
    assertEquals(1, second.get("generation").asInt());
    assertEquals(plan.get(1).cpus().toString(), second.get("cpus").asText());
    assertEquals(plan.get(1).layout().toString(), second.get("layout").asText());
    assertEquals(0, second.get("restarts").asInt());
    assertEquals("closed", second.get("breaker").asText());
    assertTrue(second.get("lastExit").isNull());
    assertTrue(second.get("lastBeat").isNull());
    assertTrue(second.has("uptimeSeconds"));
  }

  @Test
  void shouldFixTheNumberOfReplicasWithinItsBounds() throws IOException {
    open(new FakeReplicas(2, ScalingSettings.between(1, 2), crashes));

    for (String path : List.of("", "?count=0", "?count=3", "?count=many", "?cnt=1")) {
      Received refused = request("PUT /admin/v1/replicas" + path, "Host: localhost", "");
      assertProblem(400, refused, "expected ?count= and a number from 1 to 2");
    }
    for (String path : List.of("?count=2", "?count=1", "?count=auto")) {
      Received taken = request("PUT /admin/v1/replicas" + path, "Host: localhost", "");
      assertEquals(202, taken.status(), taken.head());
      assertEquals(2, taken.body().get("replicas").size());
    }
  }

  @Test
  void shouldShowTheActualMaskOfEachThreadBesideThePlannedOne() throws IOException {
    // given one thread in the right place and one in a wrong one
    CpuSet own = plan.get(0).confined();
    threadOf100(7, "GC", own);
    threadOf100(8, "lost", CpuSet.parse("63"));
    open(FakeReplicas.serving(2, crashes));

    // when
    JsonNode body = get("/admin/v1/topology").body();

    // then
    assertEquals(JSON.readTree("{\"a\":1}"), body.get("machine"));
    JsonNode threads = body.at("/replicas/0/threads");
    assertEquals(own.toString(), threads.at("/0/planned").asText());
    assertTrue(threads.at("/0/asPlanned").asBoolean());
    assertEquals("lost", threads.at("/1/name").asText());
    assertEquals("63", threads.at("/1/actual").asText());
    assertFalse(threads.at("/1/asPlanned").asBoolean());
  }

  private void threadOf100(int tid, String name, CpuSet mask) {
    files.put("proc/100/task/" + tid + "/comm", name + "\n");
    files.put("proc/100/task/" + tid + "/status", "Cpus_allowed_list:\t" + mask + "\n");
  }

  @Test
  void shouldShowTheLatestEvents() throws IOException {
    open(FakeReplicas.serving(2, crashes));

    JsonNode all = get("/admin/v1/events").body().get("events");
    JsonNode last = get("/admin/v1/events?limit=1").body().get("events");

    assertEquals(4, all.size());
    assertEquals("started", all.at("/0/kind").asText());
    assertEquals(1, last.size());
    assertEquals(4, last.at("/0/number").asInt());
    assertEquals("serving", last.at("/0/kind").asText());
    assertEquals(1, last.at("/0/replica").asInt());
    assertProblem(400, get("/admin/v1/events?limit=many"), "expected ?limit=");
  }

  @Test
  void shouldRestartAllButNotTwiceAtOnce() throws IOException {
    open(FakeReplicas.serving(2, crashes));
    assertProblem(404, get("/admin/v1/replicas/restart"), "found none");

    Received begun = post("/admin/v1/replicas/restart");

    assertEquals(202, begun.status());
    assertEquals("/admin/v1/replicas/restart", field(begun, "location"), begun.head());
    assertEquals("running", begun.body().get("state").asText());
    assertProblem(409, post("/admin/v1/replicas/restart"), "expected no restart under way");
    assertProblem(409, post("/admin/v1/replicas/1/restart"), "expected no restart under way");
    JsonNode left = get("/admin/v1/replicas/restart").body().get("left");
    assertEquals(JSON.readTree("[0,1]"), left);
  }

  @Test
  void shouldRestartOne() throws IOException {
    open(FakeReplicas.serving(2, crashes));

    assertProblem(404, post("/admin/v1/replicas/2/restart"), "found 2");
    Received begun = post("/admin/v1/replicas/1/restart");

    assertEquals(202, begun.status());
    assertEquals(JSON.readTree("[1]"), begun.body().get("left"));
  }

  @ParameterizedTest
  @CsvSource({
    "GET,/,404", "GET,/admin/v1/replicas/0,404", "GET,/admin/v1/replicas/x/restart,404",
    "DELETE,/livez,405", "POST,/admin/v1/replicas,405", "GET,/admin/v1/replicas/0/restart,405"
  })
  void shouldRefuseWhatIsNotThere(String method, String path, int status) throws IOException {
    open(FakeReplicas.serving(1, crashes));

    Received answer = request(method + " " + path, "Host: localhost", "");

    assertProblem(status, answer, "found " + method);
    assertEquals(status != 405, field(answer, "allow").isEmpty(), answer.head());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/livez", "/admin/v1/replicas", "/nothing"})
  void shouldAnswerHeadLikeGetWithoutBody(String path) throws IOException {
    open(FakeReplicas.serving(1, crashes));

    Received head = request("HEAD " + path, "Host: localhost", "");

    Received got = get(path);
    assertEquals(got.status(), head.status());
    assertTrue(head.body().isMissingNode(), head.toString());
    assertEquals(field(got, "content-type"), field(head, "content-type"));
    assertTrue(Integer.parseInt(field(head, "content-length")) > 0);
  }

  @Test
  void shouldRefuseHeadWhereThereIsNoGet() throws IOException {
    open(FakeReplicas.serving(1, crashes));

    assertEquals(405, request("HEAD /admin/v1/replicas/0/restart", "Host: localhost", "").status());
    assertEquals("GET, HEAD", field(request("PUT /livez", "Host: localhost", ""), "Allow"));
  }

  private static String field(Received answer, String name) {
    return answer
        .head()
        .lines()
        .filter(
            line -> line.toLowerCase(Locale.ROOT).startsWith(name.toLowerCase(Locale.ROOT) + ": "))
        .map(line -> line.substring(name.length() + 2))
        .findFirst()
        .orElse("");
  }

  // Field faults 25 and 26
  @ParameterizedTest
  @CsvSource({
    "Host: evil.example, 421",
    "Host: 127.0.0.1.evil.example, 421",
    "Host: 10.0.0.1:9180, 421",
    "Host: evil.engine.example, 421",
    "'Host: localhost\r\nHost: evil.example', 400",
    "X: y, 400",
    "'Host: localhost\r\nOrigin: https://evil.example', 403",
    "'Host: localhost\r\nOrigin: null', 403"
  })
  void shouldRefuseBrowsersAndOtherNames(String headers, int status) throws IOException {
    open(FakeReplicas.serving(1, crashes));

    Received answer = request("POST /admin/v1/replicas/restart", headers, "");

    assertProblem(status, answer, "expected");
    assertProblem(404, get("/admin/v1/replicas/restart"), "found none");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost:9180",
        "127.0.0.1",
        "127.1.2.3:1",
        "[::1]:9180",
        "LOCALHOST",
        "engine.example"
      })
  void shouldAnswerLoopbackNames(String host) throws IOException {
    open(FakeReplicas.serving(1, crashes));

    assertEquals(200, request("GET /livez", "Host: " + host, "").status());
  }

  @Test
  void shouldHandOrdersForProfilesToReplicas() throws IOException {
    FakeReplicas replicas = FakeReplicas.serving(2, crashes);
    open(replicas);
    Path own = privateFolder("own");
    String order = "?seconds=5&client=7&token=" + TOKEN + "&folder=" + own;

    Received told = post("/admin/v1/replicas/1/profile" + order);

    assertEquals(202, told.status(), told.toString());
    assertEquals(5, told.body().get("seconds").asInt());
    assertEquals(new ProfileRequest(5, 7, own).line(), replicas.heard(1).getLast());
    assertEquals(1, Objects.requireNonNull(own.toFile().list()).length, "the token only");
    assertProblem(404, post("/admin/v1/replicas/2/profile" + order), "a replica that serves");
  }

  @Test
  void shouldHandOrdersForProfilesToTheBroker() throws IOException {
    open(FakeReplicas.serving(1, crashes));
    Path own = privateFolder("own");
    String order = "?seconds=5&client=7&token=" + TOKEN + "&folder=" + own;

    Received told = post("/admin/v1/broker/profile" + order);

    assertEquals(202, told.status(), told.toString());
    assertEquals(new ProfileRequest(5, 7, own), brokersOrders.peek());
    assertProblem(404, post("/admin/v1/broker/profile" + order), "a broker that runs");
    assertProblem(400, post("/admin/v1/broker/profile?seconds=5"), "expected");
  }

  @Test
  void shouldRefuseProfilesThatGoWhereOthersCanRead() throws IOException {
    open(FakeReplicas.serving(1, crashes));
    Path shared = privateFolder("shared");
    Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxr-x---"));
    Path link = Files.createSymbolicLink(crashes.resolve("link"), privateFolder("target"));

    for (String query :
        List.of(
            "",
            "?seconds=5",
            "?seconds=0&client=7&token=" + TOKEN + "&folder=" + privateFolder("none"),
            "?seconds=601&client=7&token=" + TOKEN + "&folder=" + privateFolder("long"),
            "?seconds=5&client=7&token=" + TOKEN + "&folder=relative",
            "?seconds=5&client=7&token=" + TOKEN + "&folder=" + shared,
            "?seconds=5&client=7&token=" + TOKEN + "&folder=" + link,
            "?seconds=5&client=7&folder=" + privateFolder("untold"),
            "?seconds=5&client=7&token=" + OTHER_TOKEN + "&folder=" + privateFolder("guessed"),
            "?seconds=5&client=7&token=" + TOKEN + "&folder=" + crashes.resolve("missing"))) {
      assertProblem(400, post("/admin/v1/replicas/0/profile" + query), "expected");
    }
  }

  @Test
  void shouldNotTakeAPrivateFolderThatWasNotMadeForAProfile() throws IOException {
    open(FakeReplicas.serving(1, crashes));
    Path keys = privateFolder("keys");
    Files.delete(keys.resolve(ProfileRequest.TOKEN));

    Received answer =
        post("/admin/v1/replicas/0/profile?seconds=5&client=7&token=" + TOKEN + "&folder=" + keys);

    assertProblem(400, answer, "and the token in it, found " + keys);
  }

  /** Contains the token. */
  private Path privateFolder(String name) throws IOException {
    Path made =
        Files.createDirectory(
            crashes.resolve(name),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Files.writeString(made.resolve(ProfileRequest.TOKEN), TOKEN);
    return made;
  }

  // Field fault 28
  @Test
  void shouldBeAsStrictAsTheListenerOfClients() throws IOException {
    open(FakeReplicas.serving(1, crashes));
    String get = "GET /admin/v1/replicas/restart";
    String host = "Host: localhost";

    assertProblem(505, request(get + " HTTP/2.0", host, ""), "major version 2");
    assertProblem(400, request(get + " HTTP/1.11", host, ""), "HTTP version");
    assertProblem(404, request(get + " HTTP/1.2", host, ""), "found none");
    assertProblem(
        400, request(get, host + "\r\nContent-Type: a/b\r\nContent-Type: a/b", ""), "one");
    assertProblem(421, request("GET http://evil.example/livez", host, ""), "evil.example");
    String restart = "POST /admin/v1/replicas/restart";
    assertProblem(400, request(restart, host + "\r\nContent-Length: 7", "{\"a\":1}"), "or {}");
    assertProblem(404, request(get, host, ""), "found none");
    assertEquals(202, request(restart, host + "\r\nContent-Length: 3", "{ }").status());
  }

  @Test
  void shouldRefuseLongBodies() throws IOException {
    open(FakeReplicas.serving(1, crashes));
    String body = " ".repeat(1_025);

    Received answer =
        request(
            "POST /admin/v1/replicas/restart",
            "Host: localhost\r\nContent-Length: " + body.length(),
            body);

    assertProblem(413, answer, "expected at most 1024 bytes");
    String chunks = "401\r\n" + body + "\r\n0\r\n\r\n";
    Received chunked =
        request(
            "POST /admin/v1/replicas/restart",
            "Host: localhost\r\nTransfer-Encoding: chunked",
            chunks);
    assertProblem(413, chunked, "expected at most 1024 bytes");
    Received longest =
        request(
            "POST /admin/v1/replicas/restart",
            "Host: localhost\r\nContent-Length: 1024",
            body.substring(1));
    assertEquals(202, longest.status());
  }

  // Field fault 28: a server without problem documents refused these
  @ParameterizedTest
  @CsvSource({
    "GET, Host: localhost, 400",
    "GET /livez extra, Host: localhost, 400",
    "GET /li vez, Host: localhost, 400",
    "GET /../livez, Host: localhost, 400",
    "GET /%zz, Host: localhost, 400",
    "GET livez, Host: localhost, 400",
    "GET /livez, 'Host: localhost\r\nA : b', 400",
    "GET /livez, 'Host: localhost\r\n folded: b', 400",
    "GET /livez, 'Host: localhost\r\nContent-Length: 0\r\nContent-Length: 0', 400",
    "GET /livez, 'Host: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked', 400",
    "GET /livez, 'Host: localhost\r\nContent-Length: -1', 400",
    "GET /livez, 'Host: localhost\r\nTransfer-Encoding: gzip', 400",
    "GET /livez, 'Host: localhost\r\nExpect: 100-continue', 417",
    "GET /livez, 'Host: localhost\r\nSec-Fetch-Site: cross-site', 200",
    "POST /livez, 'Host: localhost\r\nSec-Fetch-Site: cross-site', 403"
  })
  void shouldTellEveryRefusalAsAProblem(String line, String headers, int status)
      throws IOException {
    open(FakeReplicas.serving(1, crashes));

    Received answer = request(line, headers.replace("\\r\\n", "\r\n"), "");

    if (status == 200) {
      assertEquals(200, answer.status(), answer.toString());
    } else {
      assertProblem(status, answer, "expected");
    }
  }

  // Field fault 28
  @Test
  void shouldRefuseHeadsOverTheirBoundsAsProblems() throws IOException {
    open(FakeReplicas.serving(1, crashes));
    String host = "Host: localhost\r\n";

    assertProblem(414, request("GET /" + "a".repeat(9_000), host + "A: b", ""), "expected");
    assertProblem(431, request("GET /livez", host + "A: " + "b".repeat(17_000), ""), "expected");
    assertProblem(431, request("GET /livez", host + "A: b\r\n".repeat(101) + "A: b", ""), "");
  }

  // Field fault 28
  @Test
  void shouldAnswerRequestsOfOneConnectionInOrder() throws IOException {
    open(FakeReplicas.serving(1, crashes));
    URI uri = Objects.requireNonNull(server).uri();
    String get = " HTTP/1.1\r\nHost: localhost\r\n";
    String text = "GET /livez" + get + "\r\nGET /nothing" + get + "\r\nHEAD /livez" + get;
    try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
      socket
          .getOutputStream()
          .write((text + "Connection: close\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
      String answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      List<String> lines = answers.lines().filter(line -> line.startsWith("HTTP/1.1 ")).toList();
      assertEquals(List.of("HTTP/1.1 200 OK", "HTTP/1.1 404 Not Found", "HTTP/1.1 200 OK"), lines);
    }
  }

  // Field fault 28: the bound of connections; the others wait
  @Test
  void shouldAcceptNoMoreConnectionsThanItsBound() throws IOException {
    open(FakeReplicas.serving(1, crashes));
    try (Clients clients = new Clients()) {
      for (int i = 0; i < AdminServer.MAX_CONNECTIONS; i++) {
        Socket busy = clients.connect();
        clients.say(busy, GET_LIVEZ + "GET /livez"); // another request, which stays incomplete
        clients.expectAnswer(busy);
      }
      Socket late = clients.connect();
      clients.say(late, GET_LIVEZ);
      late.setSoTimeout(400);
      assertThrows(SocketTimeoutException.class, () -> late.getInputStream().read());

      clients.all.getFirst().close();
      clients.expectAnswer(late);
    }
  }

  // Field fault 2: silent connections to the listener for operators make room for others
  @Test
  void shouldMakeRoomForThoseWhoAsk() throws IOException {
    open(FakeReplicas.serving(1, crashes));
    try (Clients clients = new Clients()) {
      Socket heard = clients.connect();
      clients.ask(heard);
      for (int i = 0; i < 2 * AdminServer.MAX_CONNECTIONS; i++) {
        Socket _ = clients.connect();
      }

      clients.ask(clients.connect());

      clients.ask(heard); // was not closed in favour of silent ones
      assertEquals(-1, clients.all.get(1).getInputStream().read(), "the oldest silent one went");
    }
  }

  // Field fault 2: half a head counts as none
  @Test
  void shouldMakeRoomOfThoseWhoseFirstRequestIsLate() throws IOException {
    open(FakeReplicas.serving(1, crashes));
    try (Clients clients = new Clients()) {
      for (int i = 0; i < AdminServer.MAX_CONNECTIONS; i++) {
        clients.say(clients.connect(), "GET /livez");
      }

      clients.ask(clients.connect());
    }
  }

  // Field fault 2
  @Test
  void shouldMakeRoomOfThoseThatWereAnsweredWhenNoneIsSilent() throws IOException {
    open(FakeReplicas.serving(1, crashes));
    try (Clients clients = new Clients()) {
      for (int i = 0; i < AdminServer.MAX_CONNECTIONS; i++) {
        clients.ask(clients.connect());
      }

      clients.ask(clients.connect());

      assertEquals(-1, clients.all.getFirst().getInputStream().read(), "the oldest one went");
      clients.ask(clients.all.get(AdminServer.MAX_CONNECTIONS - 1));
    }
  }

  /** Connections that stay open. */
  private final class Clients implements AutoCloseable {
    private final List<Socket> all = new ArrayList<>();

    Socket connect() throws IOException {
      URI uri = Objects.requireNonNull(server).uri();
      Socket socket = new Socket(uri.getHost(), uri.getPort());
      all.add(socket);
      return socket;
    }

    void say(Socket socket, String text) throws IOException {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    void ask(Socket socket) throws IOException {
      say(socket, GET_LIVEZ);
      expectAnswer(socket);
    }

    /** Reads an answer within a time in which no silent connection would end by itself. */
    void expectAnswer(Socket socket) throws IOException {
      socket.setSoTimeout(20_000);
      StringBuilder head = new StringBuilder();
      while (head.indexOf("\r\n\r\n") < 0) {
        int next = socket.getInputStream().read();
        assertTrue(next >= 0, "closed after " + head);
        head.append((char) next);
      }
      assertTrue(head.toString().startsWith("HTTP/1.1 200 "), head.toString());
      int begin = head.indexOf("content-length: ") + "content-length: ".length();
      int length = Integer.parseInt(head.substring(begin, head.indexOf("\r", begin)));
      socket.getInputStream().readNBytes(length);
    }

    @Override
    public void close() throws IOException {
      for (Socket each : all) {
        each.close();
      }
    }
  }

  @Test
  void shouldSayWhenTheSupervisorDoesNotAnswer() throws IOException {
    FakeReplicas replicas = FakeReplicas.serving(1, crashes);
    listen(replicas);

    Received answer = get("/livez");

    assertProblem(503, answer, "expected the supervisor to answer within 2 s");
    assertEquals("1", field(answer, "retry-after"));
  }

  private void open(FakeReplicas replicas) throws IOException {
    listen(replicas);
    thread.execute(() -> run(replicas.supervisor()));
  }

  private static void run(Supervisor supervisor) {
    try {
      supervisor.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void listen(FakeReplicas replicas) throws IOException {
    MachineStatus machine = new MachineStatus(() -> "{\"a\":1}", plan, FileTree.of(files));
    AdminRoutes pages =
        new AdminRoutes(
            replicas.supervisor(),
            replicas.events(),
            machine,
            new AdminRoutes.StatusSources(
                () -> new HistorySupervisor.HistoryStatus(4711, 2, 17, 0, 5, ""),
                () ->
                    new BrokerSupervisor.BrokerStatus(
                        4712, -1, 3, new BrokerSupervisor.PlanStatus(9, "relaxed"), true),
                brokersOrders::offer,
                () -> handover,
                () -> 12));
    server =
        AdminServer.open(
            InetAddress.getLoopbackAddress(), 0, pages, AllowedHosts.parse("engine.example"));
  }

  private Received get(String path) throws IOException {
    return request("GET " + path, "Host: localhost", "");
  }

  private Received post(String path) throws IOException {
    return request("POST " + path, "Host: localhost\r\nContent-Length: 0", "");
  }

  private Received request(String line, String headers, String body) throws IOException {
    URI uri = Objects.requireNonNull(server).uri();
    try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
      String version = line.contains(" HTTP/") ? "" : " HTTP/1.1";
      String text = line + version + "\r\n" + headers + "\r\nConnection: close\r\n\r\n" + body;
      socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int end = answer.indexOf("\r\n\r\n");
      return new Received(
          Integer.parseInt(answer.substring(9, 12)),
          answer.substring(0, end),
          JSON.readTree(answer.substring(end)));
    }
  }

  private static void assertProblem(int status, Received answer, String detail) {
    assertEquals(status, answer.status(), answer.toString());
    assertEquals("application/problem+json", field(answer, "content-type"), answer.head());
    assertEquals(status, answer.body().get("status").asInt());
    String code = answer.body().get("code").asText();
    assertTrue(code.matches("[a-z]+(-[a-z]+)*"), code);
    assertEquals("https://pinion.dev/problems/" + code, answer.body().get("type").asText());
    assertTrue(answer.body().get("detail").asText().contains(detail), answer.body().toString());
  }
}
