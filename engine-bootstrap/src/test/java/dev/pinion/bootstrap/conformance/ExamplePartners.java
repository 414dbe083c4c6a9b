package dev.pinion.bootstrap.conformance;

import dev.pinion.bootstrap.client.asyncapi.WebSocketStub;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.regex.Pattern;
import no.nav.security.mock.oauth2.MockOAuth2Server;

/**
 * What examples call besides plain HTTP, and the addresses that their texts get instead of those of
 * public services. Nothing else of an example is changed, but that its seconds are shortened to a
 * hundredth.
 */
final class ExamplePartners implements AutoCloseable {
  /** Hosts called over HTTP; addresses that only name an event or an error are left alone. */
  private static final Pattern CALLED =
      Pattern.compile(
          "https?://(?:myorg\\.io|fake\\.com|swapi\\.dev|superbet-casinos\\.com(?=/api/)"
              + "|fake-hospital\\.com|fake-chat-api\\.com|virtual-wf-powered-race\\.com"
              + "|(?:[a-z-]+\\.)?example\\.com|raw\\.githubusercontent\\.com)(?=/)");

  private static final Pattern SECONDS = Pattern.compile("\\bseconds: (?<number>\\d+)\\b");

  /** A server of MCP that answers a call with what it was sent. */
  private static final String TOOL =
      """
      #!/bin/sh
      read -r first
      echo '{"jsonrpc": "2.0", "id": 1, "result": {"protocolVersion": "2025-06-18"}}'
      read -r second
      read -r third
      printf '{"jsonrpc": "2.0", "id": 2, "result": {"sent": %s' "$third"
      printf ', "words": ["%s", "%s", "%s"]' "$1" "$2" "$3"
      printf ', "token": "%s"}}\\n' "$SLACK_MCP_XOXP_TOKEN"
      """;

  private final MockOAuth2Server authorization = new MockOAuth2Server();
  private final GreeterServer greeter = new GreeterServer();
  private final WebSocketStub notifications =
      new WebSocketStub(
          notification("u-1", 1),
          notification("u-1", 2),
          notification("u-2", 3),
          notification("u-1", 4),
          notification("u-1", 5),
          notification("u-2", 6),
          notification("u-1", 7));
  private final Map<String, String> addresses;

  /**
   * Starts the partners.
   *
   * @param folder an empty folder
   */
  ExamplePartners(Path folder) throws IOException, InterruptedException {
    authorization.start();
    Path tool = folder.resolve("tool");
    Files.writeString(tool, TOOL);
    Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwx------"));
    this.addresses =
        Map.of(
            "http://keycloak/",
            "http://" + local(authorization.issuerUrl("any").port()) + "/",
            "websocket.example",
            local(notifications.port()),
            "file://app/greet.proto",
            "http://services.example/greet.proto",
            "host: localhost",
            "host: 127.0.0.1",
            "port: 5011",
            "port: " + greeter.port(),
            "command: npx",
            "command: " + tool,
            "wait: PT30S",
            "wait: PT0.3S");
  }

  private static String local(int port) {
    return "127.0.0.1:" + port;
  }

  private static String notification(String user, int number) {
    String from = "{\"firstName\": \"Ada\", \"lastName\": \"Byron\"}";
    return "{\"userId\": \"%s\", \"from\": %s, \"n\": %s}".formatted(user, from, number);
  }

  /** A text with the addresses of the partners, and of the services of a scenario. */
  String resolved(String text) {
    String resolved = CALLED.matcher(text).replaceAll("http://services.example");
    resolved = SECONDS.matcher(resolved).replaceAll("milliseconds: ${number}0");
    for (Map.Entry<String, String> each : addresses.entrySet()) {
      resolved = resolved.replace(each.getKey(), each.getValue());
    }
    return resolved;
  }

  @Override
  public void close() {
    notifications.close();
    greeter.close();
    authorization.shutdown();
  }
}
