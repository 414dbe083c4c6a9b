package dev.pinion.bootstrap.cli.validation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.Error;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.util.List;

/** What SARIF 2.1.0 requires of the parts that reports have. */
final class SarifShape {
  private static final String SHAPE =
      """
      {
        "type": "object",
        "required": ["version", "runs"],
        "properties": {
          "version": {"const": "2.1.0"},
          "$schema": {"type": "string", "format": "uri"},
          "runs": {"type": "array", "items": {"$ref": "#/$defs/run"}}
        },
        "additionalProperties": false,
        "$defs": {
          "run": {
            "type": "object",
            "required": ["tool"],
            "properties": {
              "tool": {
                "type": "object",
                "required": ["driver"],
                "properties": {"driver": {"$ref": "#/$defs/component"}},
                "additionalProperties": false
              },
              "originalUriBaseIds": {
                "type": "object",
                "additionalProperties": {"$ref": "#/$defs/address"}
              },
              "invocations": {"type": "array", "items": {"$ref": "#/$defs/invocation"}},
              "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
              "results": {"type": "array", "items": {"$ref": "#/$defs/result"}}
            },
            "additionalProperties": false
          },
          "component": {
            "type": "object",
            "required": ["name"],
            "properties": {
              "name": {"type": "string"},
              "version": {"type": "string"},
              "rules": {"type": "array", "uniqueItems": true, "items": {"$ref": "#/$defs/rule"}}
            },
            "additionalProperties": false
          },
          "rule": {
            "type": "object",
            "required": ["id"],
            "properties": {
              "id": {"type": "string"},
              "shortDescription": {"$ref": "#/$defs/message"},
              "defaultConfiguration": {
                "type": "object",
                "properties": {"level": {"$ref": "#/$defs/level"}},
                "additionalProperties": false
              }
            },
            "additionalProperties": false
          },
          "invocation": {
            "type": "object",
            "required": ["executionSuccessful"],
            "properties": {
              "executionSuccessful": {"type": "boolean"},
              "exitCode": {"type": "integer"},
              "toolExecutionNotifications": {
                "type": "array",
                "items": {
                  "type": "object",
                  "required": ["message"],
                  "properties": {
                    "level": {"$ref": "#/$defs/level"},
                    "message": {"$ref": "#/$defs/message"},
                    "locations": {"type": "array", "items": {"$ref": "#/$defs/location"}}
                  },
                  "additionalProperties": false
                }
              }
            },
            "additionalProperties": false
          },
          "result": {
            "type": "object",
            "required": ["message"],
            "properties": {
              "ruleId": {"type": "string"},
              "ruleIndex": {"type": "integer", "minimum": -1},
              "level": {"$ref": "#/$defs/level"},
              "message": {"$ref": "#/$defs/message"},
              "locations": {"type": "array", "items": {"$ref": "#/$defs/location"}}
            },
            "additionalProperties": false
          },
          "location": {
            "type": "object",
            "properties": {
              "physicalLocation": {
                "type": "object",
                "required": ["artifactLocation"],
                "properties": {
                  "artifactLocation": {"$ref": "#/$defs/address"},
                  "region": {
                    "type": "object",
                    "properties": {
                      "startLine": {"type": "integer", "minimum": 1},
                      "startColumn": {"type": "integer", "minimum": 1}
                    },
                    "additionalProperties": false
                  }
                },
                "additionalProperties": false
              },
              "logicalLocations": {
                "type": "array",
                "items": {
                  "type": "object",
                  "properties": {"fullyQualifiedName": {"type": "string"}},
                  "additionalProperties": false
                }
              }
            },
            "additionalProperties": false
          },
          "address": {
            "type": "object",
            "properties": {
              "uri": {"type": "string", "pattern": "^[!-~]+$"},
              "uriBaseId": {"type": "string"}
            },
            "additionalProperties": false
          },
          "message": {
            "type": "object",
            "required": ["text"],
            "properties": {"text": {"type": "string", "minLength": 1}},
            "additionalProperties": false
          },
          "level": {"enum": ["none", "note", "warning", "error"]}
        }
      }
      """;

  private SarifShape() {}

  /** What a log has that SARIF does not allow. */
  static List<Error> problems(JsonNode log) throws IOException {
    return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
        .getSchema(new ObjectMapper().readTree(SHAPE))
        .validate(log);
  }
}
