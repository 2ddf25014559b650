export const forms = {
  // 7: error bodies for all failures but the sensor's
  errorBody: "error object | message | error_code flat | HTML page",
  // 5, 7: status for a missing or unknown token
  statusUnauthenticated: "401 | 404 | 200 login page",
  // 7: status for a request that breaks a rule
  statusInvalid: "422 | 400",
  // 7: status for a thing that does not exist
  statusMissing: "404 | 410",
  // 7: whether failures are sent under HTTP 200 with the error in the body
  refusalsUnder200: "none | missing | all",
  // 4: HTTP status of successful creations whose body is shown (only refresh and sensor name 200)
  successStatus: "200 | 201 on POST | 202 on POST",
  // 2: whether identifiers in answers are numbers throughout
  ids: "numbers | text | text inside lists | text when odd | numbers with fraction zero",
  // 2: range of new identifiers
  newIds: "small | above 2^31 | above 2^40 | not rising",
  // 2: how a nullable field without a value is sent
  nullFields: "null | absent | empty text",
  // 2.2, 2.8: fields beyond those listed
  extraFields: "none | in records | in the envelope | names of other fields nested",
  // 1: ISO 8601 UTC is exemplified by one form only
  timestamps: "seconds, Z | milliseconds, Z | offset +00:00 | offset +0000 | basic form",
  // 4: which parameters are mandatory: not shown
  mandatory: "only those stated or without which nothing can be done | the obvious ones | all but those with a default",
  // 4: parameters no table names
  unknownParameters: "ignored | refused",
  // 4: a parameter sent as null (only catalog_name may be)
  nullParameters: "as absent | refused",
  // 4: a parameter sent as empty text
  emptyTexts: "taken as sent | refused",
} as const;
