package dev.pinion.bootstrap.warmup;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Requests of a warm-up to an engine at a loopback port: definitions first, then rounds of
 * requests.
 *
 * <p>The definitions are files of the folder {@code warm-up} beside this class. Together they have
 * every kind of task that needs no external service, every durability, and expressions of all
 * kinds. No two rounds are equal: names, lengths and kinds of JSON differ like those of clients,
 * since code compiled for one kind only is discarded at the first different one.
 *
 * @param port port of the engine, which its processes call too
 */
record WarmUpScript(int port) {
  private static final List<String> DEFINITIONS =
      List.of("answering", "calling", "plain", "deciding", "forced", "expressing", "conversing");

  /** Different numbers of orders, and different lengths of names and texts. */
  private static final int NUMBERS = 6;

  private static final int LENGTHS = 40;

  /** One round of so many has events. */
  private static final int ROUNDS_OF_EVENTS = 8;

  /** Requests that deploy the definitions of the rounds. */
  List<String> deployments() throws IOException {
    List<String> requests = new ArrayList<>();
    for (String name : DEFINITIONS) {
      String text = definition(name).replace("PORT", Integer.toString(port));
      requests.add(post("/v1/definitions", "application/yaml", text));
    }
    return requests;
  }

  /**
   * The requests of a round.
   *
   * @param round from 0 on
   */
  List<String> round(int round) {
    String input = input(round);
    List<String> requests = new ArrayList<>();
    requests.add(start("plain", "{}"));
    requests.add(start("deciding", "{\"input\":" + input + "}"));
    requests.add(
        start("calling", "{\"labels\":{\"round\":\"" + round + "\"},\"input\":" + input + "}"));
    requests.add(start("forced", "{\"input\":" + input + "}"));
    requests.add(start("expressing", "{\"input\":" + input + "}"));
    if (round % ROUNDS_OF_EVENTS == 0) {
      requests.add(start("conversing", "{\"input\":" + input + "}"));
    }
    requests.add(get("/v1/instances?limit=1"));
    return requests;
  }

  private static String input(int round) {
    StringBuilder json = new StringBuilder("{\"n\":").append(round);
    json.append(",\"").append("k".repeat(1 + round % LENGTHS)).append("\":");
    json.append("[\"")
        .append("x".repeat(round % LENGTHS))
        .append("\",null,true,-")
        .append(round)
        .append(",[],{}],\"orders\":[");
    for (int i = 0; i <= round % NUMBERS; i++) {
      json.append(i == 0 ? "" : ",").append(order(round, i));
    }
    return json.append("]}").toString();
  }

  private static String order(int round, int i) {
    double price = (round * 7 + i * 31) % 400 / 16.0;
    return String.format(Locale.ROOT, "{\"name\":\"item \\u00e9 %d\",\"price\":%s}", i, price);
  }

  private static String definition(String name) throws IOException {
    String file = "warm-up/" + name + ".yaml";
    try (InputStream in = WarmUpScript.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IOException("expected " + file + " on the class path, found none");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private String get(String path) {
    return "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n\r\n";
  }

  private String start(String name, String body) {
    return post(
        "/v1/namespaces/warm-up/definitions/" + name + "/instances?fault=http",
        "application/json",
        body);
  }

  private String post(String path, String type, String body) {
    return "POST "
        + path
        + " HTTP/1.1\r\nHost: 127.0.0.1:"
        + port
        + "\r\nContent-Type: "
        + type
        + "\r\nContent-Length: "
        + body.getBytes(StandardCharsets.UTF_8).length
        + "\r\n\r\n"
        + body;
  }
}
