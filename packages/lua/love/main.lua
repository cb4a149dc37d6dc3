-- The conformance of this package in LÖVE, from the folder above.
package.path = "./?.lua;" .. package.path
require("conformance")
