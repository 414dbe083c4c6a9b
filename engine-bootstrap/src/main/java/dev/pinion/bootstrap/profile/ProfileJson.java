package dev.pinion.bootstrap.profile;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.bootstrap.protocol.ProfiledProcess;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Profiles as JSON, without loss: reading returns the same rows.
 *
 * <p>{@code nodes} has a parent and a frame for each node of the tree except the root, node 0, in
 * their order; {@code rows} refer to nodes.
 */
public final class ProfileJson {
  /** Bytes of the largest file read. */
  public static final long MAX_BYTES = 512L << 20;

  private static final String FORMAT = "pinion-profile-2";
  private static final ObjectMapper JSON = new ObjectMapper();

  private ProfileJson() {}

  /** Writes a profile. */
  public static void write(Profile profile, Writer out) throws IOException {
    try (JsonGenerator json = new JsonFactory().createGenerator(out)) {
      json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      json.writeStartObject();
      json.writeStringField("format", FORMAT);
      writeHeader(profile, json);
      writeTree(profile.tree(), json);
      writeRows(profile, json);
      json.writeEndObject();
    }
  }

  private static void writeHeader(Profile profile, JsonGenerator json) throws IOException {
    Profile.Header header = profile.header();
    json.writeStringField("label", header.label());
    json.writeStringField("began", header.began());
    json.writeNumberField("seconds", header.seconds());
    json.writeStringField("sampler", header.sampler());
    writeTexts("notes", header.notes(), json);
    json.writeObjectFieldStart("totals");
    for (ProfileKind profileKind : ProfileKind.values()) {
      json.writeNumberField(profileKind.id(), Math.round(profile.total(profileKind)));
    }
    json.writeEndObject();
  }

  private static void writeTexts(String name, List<String> texts, JsonGenerator json)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (String text : texts) {
      json.writeString(text);
    }
    json.writeEndArray();
  }

  private static void writeTree(CallTree tree, JsonGenerator json) throws IOException {
    writeTexts("frames", tree.frames(), json);
    json.writeArrayFieldStart("nodes");
    for (int node = 1; node < tree.size(); node++) {
      json.writeNumber(tree.parent(node));
      json.writeNumber(tree.frame(node));
    }
    json.writeEndArray();
  }

  private static void writeRows(Profile profile, JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("rows");
    for (ProfileRow profileRow : profile.rows()) {
      ProfileRow.Site site = profileRow.place();
      json.writeStartObject();
      json.writeStringField("kind", site.kind().id());
      json.writeStringField("process", site.process().name());
      json.writeStringField("group", site.group());
      json.writeStringField("stage", site.stage().name());
      writeUnlessEmpty("definition", site.work().definition(), json);
      writeUnlessEmpty("task", site.work().task(), json);
      writeUnlessEmpty("class", site.work().serviceClass(), json);
      writeUnlessEmpty("subject", site.subject(), json);
      json.writeNumberField("node", site.node());
      json.writeNumberField("amount", Math.round(profileRow.amount()));
      json.writeNumberField("samples", profileRow.samples());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void writeUnlessEmpty(String name, String text, JsonGenerator json)
      throws IOException {
    if (!text.isEmpty()) {
      json.writeStringField(name, text);
    }
  }

  /**
   * Reads a profile.
   *
   * @throws IOException with one sentence, when the file is not a profile or cannot be read
   */
  public static Profile read(Path file) throws IOException {
    if (Files.size(file) > MAX_BYTES) {
      throw new IOException(
          "expected a profile of at most " + MAX_BYTES + " bytes, found more in " + file);
    }
    try {
      JsonNode json = JSON.readTree(file.toFile());
      if (!json.path("format").asText().equals(FORMAT)) {
        throw new IOException("its format is not " + FORMAT);
      }
      for (String part : List.of("notes", "frames", "nodes", "rows")) {
        if (!json.path(part).isArray()) {
          throw new IOException("it has no " + part);
        }
      }
      return profile(json);
    } catch (JsonProcessingException e) {
      throw new IOException(
          file
              + " is no profile as profile --json writes it: no JSON in line "
              + e.getLocation().getLineNr()
              + ", column "
              + e.getLocation().getColumnNr(),
          e);
    } catch (IndexOutOfBoundsException e) {
      throw new IOException(
          file
              + " is no profile as profile --json writes it: it refers to frames or nodes that it"
              + " has not",
          e);
    } catch (IOException | IllegalArgumentException e) {
      throw new IOException(
          file + " is no profile as profile --json writes it: " + e.getMessage(), e);
    }
  }

  private static Profile profile(JsonNode json) {
    Profile.Header header =
        new Profile.Header(
            json.path("label").asText(),
            json.path("began").asText(),
            json.path("seconds").asDouble(),
            json.path("sampler").asText(),
            texts(json.path("notes")));
    CallTree tree = new CallTree();
    List<Integer> numbers = nodes(json, tree);
    Profile.Builder builder = new Profile.Builder(tree);
    for (JsonNode row : json.path("rows")) {
      builder.add(
          new ProfileRow.Site(
              kind(row.path("kind").asText()),
              ProfiledProcess.named(row.path("process").asText()),
              row.path("group").asText(),
              PipelineStage.valueOf(row.path("stage").asText()),
              new ProfileRow.TaskOrigin(
                  row.path("definition").asText(),
                  row.path("task").asText(),
                  row.path("class").asText()),
              row.path("subject").asText(),
              numbers.get(row.path("node").asInt())),
          row.path("amount").asDouble(),
          row.path("samples").asLong());
    }
    return builder.build(header);
  }

  /** Puts the stacks into a tree; returns the numbers of their nodes there. */
  private static List<Integer> nodes(JsonNode json, CallTree tree) {
    List<String> frames = texts(json.path("frames"));
    JsonNode nodes = json.path("nodes");
    List<Integer> numbers = new ArrayList<>();
    numbers.add(CallTree.ROOT);
    for (int i = 0; i + 1 < nodes.size(); i += 2) {
      int parent = numbers.get(nodes.get(i).asInt());
      numbers.add(tree.child(parent, frames.get(nodes.get(i + 1).asInt())));
    }
    return numbers;
  }

  private static ProfileKind kind(String id) {
    return Arrays.stream(ProfileKind.values())
        .filter(each -> each.id().equals(id))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("expected a kind, found " + id));
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(each -> texts.add(each.asText()));
    return texts;
  }
}
