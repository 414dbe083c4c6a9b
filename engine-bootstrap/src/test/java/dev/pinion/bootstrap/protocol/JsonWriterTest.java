package dev.pinion.bootstrap.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class JsonWriterTest {
  @Test
  void shouldWriteNestedDocuments() {
    JsonWriter json = new JsonWriter();

    json.object(
        () -> {
          json.put("text", "a \"b\"\n").put("none", (String) null).put("n", -5L).put("yes", true);
          json.name("empty").array(() -> {}).name("object").object(() -> json.put("x", 1));
          json.name("list").array(List.of(1, 2), (out, n) -> out.object(() -> out.put("n", n)));
          json.name("raw").raw("{}");
        });

    assertEquals(
        "{\"text\":\"a \\\"b\\\"\\u000a\",\"none\":null,\"n\":-5,\"yes\":true,"
            + "\"empty\":[],\"object\":{\"x\":1},\"list\":[{\"n\":1},{\"n\":2}],\"raw\":{}}",
        json.toString());
  }
}
