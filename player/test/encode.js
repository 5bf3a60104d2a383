/** Numbers as Carom writes them into a page. */
export const encode = (values) => Buffer.from(new Float32Array(values).buffer).toString("base64");
